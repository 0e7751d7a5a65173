/**
 * The generator of one test's results, as SQL over a row of sample_slots. Besides its columns every
 * expression may use: `run`, `noise` (about normal, mean 0, deviation 1), `u1` to `u4` (uniform, 0 to
 * 1), `failed`, `fault` (1 to 4 for an impossible result, else 0), `again` (1 for a duplicate).
 */
export interface SampleTest {
  /** The table is test_<key>. */
  readonly key: string;
  /** Whether the test runs in a slot, such as `kind = 'cpe' AND ${onceIn(2)}`. */
  readonly schedule: string;
  /** Its end, in seconds after the start of the slot: tests run one after another. */
  readonly endsAfterS: number;
  /** An array with one element per row of a run, available as `run`; default: one row. */
  readonly rows?: string;
  /** Values that several columns use, by name. */
  readonly values?: Readonly<Record<string, string>>;
  /** Columns besides the common ones. */
  readonly columns: Readonly<Record<string, string>>;
}

/**
 * Whether an agent tests in a slot, if it tests once in `hours` hours: the first slot is random, and moves on by one
 * every day. So every agent tests in every hour of the day equally often, and hours differ by their load, not by their
 * agents. Tests of the same name share their slots.
 */
export function onceIn(hours: 2 | 4 | 6 | 12 | 24, test = ''): string {
  const drawn = `cityHash64(agent_hash, intDiv(slot % 24, ${hours}), intDiv(slot, ${24 * hours}), '${test}')`;
  return `slot % ${hours} = (${drawn} + intDiv(slot, 24)) % ${hours}`;
}

/**
 * The INSERT for the table of a test, from the first whole hour after `lastS` on. It uses hashes of the
 * agent, the slot and the row instead of random numbers, so the same slots give the same results.
 */
export function fillSampleTest(test: SampleTest, lastS: number): string {
  const columns = { ...commonColumns, ...test.columns };
  return `INSERT INTO test_${test.key} (${Object.keys(columns).join(', ')})
WITH
${definitions({ ...randomValues, ...test.values })}
SELECT
    ${Object.values(columns).join(',\n    ')}
FROM
(
    SELECT
        *,
        run,
        cityHash64(agent_hash, slot, '${test.key}') AS run_hash,
        toInt64(slot_s + ${test.endsAfterS}) * 1000 + run_hash % 1000 AS ended_ms,
        cityHash64(run_hash, run) AS h,
        intHash64(h) AS g
    FROM sample_slots
    ARRAY JOIN ${test.rows ?? '[0]'} AS run
    WHERE slot_s >= ${Math.ceil(lastS / 3600) * 3600} AND (${test.schedule})
)
-- One result in 200 is sent twice with a small difference: the first one counts.
ARRAY JOIN if(bitShiftRight(g, 40) % 200 = 0, [0, 1], [0]) AS again
-- Otherwise ClickHouse would remove the duplicates during the INSERT.
SETTINGS optimize_on_insert = 0`;
}

const commonColumns = {
  organisation_id: 'organisation_id',
  agent_key: 'agent_key',
  base: 'base',
  dtime: "fromUnixTimestamp64Milli(ended_ms, 'UTC')",
  agent_id: 'agent_id',
  unit_id: 'unit_id',
  received_at:
    "fromUnixTimestamp64Micro(ended_ms * 1000 + 2000000 + toInt64(h % 50000000) + again * 600000000, 'UTC')",
} as const;

const randomValues = {
  u1: 'h % 65536 / 65536',
  u2: 'bitShiftRight(h, 16) % 65536 / 65536',
  u3: 'bitShiftRight(h, 32) % 65536 / 65536',
  u4: 'bitShiftRight(h, 48) / 65536',
  noise: '(u1 + u2 + u3 + u4 - 2) * 1.732',
  failed: 'g % 1000 < 9',
  fault: 'if(bitShiftRight(g, 20) % 1000 < 3, 1 + bitShiftRight(g, 32) % 4, 0)',
} as const;

function definitions(values: Readonly<Record<string, string>>): string {
  return Object.entries(values)
    .map(([name, sql]) => `    ${sql} AS ${name}`)
    .join(',\n');
}
