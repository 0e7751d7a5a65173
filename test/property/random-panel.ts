import { randomTimes, tiedTimes } from './random-times.ts';
import { randomHistory, tiedHistory } from './random-history.ts';
import { randomColumns } from './random-columns.ts';
import { Random } from './random.ts';
import { rowKey } from '../reference/distinct-results.ts';
import { testNames, type Agent, type Panel, type Row, type TestName } from '../reference/panel.ts';

/**
 * Twelve households in unusual time zones with changing metadata, and their results of five weeks with
 * clock changes and the start of a quarter. The same seed gives the same panel.
 */
export function randomPanel(seed: number): Panel {
  const random = new Random(seed);
  const agents = timezones.map((timezone, i) => randomAgent(random, i, timezone));
  const rows = testNames.map((test) => [test, randomRows(random, test, agents)] as const);
  return { agents, rows: Object.fromEntries(rows) as Panel['rows'] };
}

const timezones = [
  'Asia/Kathmandu',
  'America/St_Johns',
  'Europe/London',
  'Europe/London',
  'America/New_York',
  'Australia/Lord_Howe',
  'Asia/Kolkata',
  'UTC',
  null,
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
  'America/St_Johns',
];

function randomAgent(random: Random, i: number, timezone: string | null): Agent {
  const isPhone = i % 4 === 3;
  return {
    agentId: `Agent-${'zebra'.charAt(i % 5)}${i}`,
    unitId: isPhone ? null : 900 + i * 37,
    kind: isPhone ? 'mobile' : random.pick(['whitebox', 'cpe', 'web']),
    base: random.pick(['wb8', 'WB9', 'router x', '']),
    country: random.pick(['GB', 'NP', 'US', null]),
    history: historyOf(random, i, timezone),
    replicates: replicateStarts.map((start) => ({
      fromUtcS: Date.parse(start) / 1000,
      factors: Array.from({ length: replicateCount }, (_, group) =>
        group === i % replicateCount ? 0 : random.between(6, 14) / 8,
      ),
    })),
  };
}

/** Before all results, and in the middle of them. */
const replicateStarts = ['2026-01-01T00:00:00Z', '2026-10-15T06:00:00Z'];
const replicateCount = 5;

/** Agents with two stays of equally many days, in both orders of their packages. */
const tied: readonly number[] = [2, 4];

function historyOf(random: Random, i: number, timezone: string | null): Agent['history'] {
  // The second to last agent has no metadata.
  if (i === timezones.length - 2) return [];
  if (tied.includes(i)) return tiedHistory(timezone, i === tied[0]);
  return randomHistory(random, timezone);
}

function randomRows(random: Random, test: TestName, agents: readonly Agent[]): readonly Row[] {
  const rows = agents.flatMap((agent, i) => {
    const resultCount = random.pick([0, 15, 40, 80]);
    const times = tied.includes(i) ? tiedTimes(agent) : randomTimes(random, agent, resultCount);
    return times.flatMap((dtimeUtcMs) =>
      randomColumns(random, test).map((columns) => ({ agent, dtimeUtcMs, columns })),
    );
  });
  // Rows of one download or route arrive in any order, mixed with others.
  const sent = shuffled(random, rows);
  // Some rows are resent with other values, which must be ignored.
  const resentRows = sent.filter(() => random.chance(0.08)).map((row) => resent(random, test, row));
  return [...sent, ...resentRows];
}

function shuffled<T>(random: Random, items: readonly T[]): readonly T[] {
  return items
    .map((item) => ({ item, place: random.fraction() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}

function resent(random: Random, test: TestName, row: Row): Row {
  const key = rowKey(test).map((name) => [name, row.columns[name]!] as const);
  return { ...row, columns: { ...randomColumns(random, test)[0], ...Object.fromEntries(key) } };
}
