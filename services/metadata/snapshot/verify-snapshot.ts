import type { ClickHouseClient } from '@clickhouse/client';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { customFromJson, snapshotColumns } from './snapshot-content.ts';
import { readSnapshotPeriods, type SnapshotPeriod } from './snapshot-rows.ts';

const agentsPerBatch = 2_000;
const lastAgentKey = Number.MAX_SAFE_INTEGER;

/** A difference between the dictionary and Postgres. */
export interface SnapshotDifference {
  readonly agentKey: number;
  readonly atS: number;
  /** The columns that differ; `missing` or `unexpected` if only one of the two has the period. */
  readonly text: string;
}

/** The result for a batch of agents with consecutive keys. */
export interface VerifiedBatch {
  readonly agents: number;
  readonly periods: number;
  readonly differences: readonly SnapshotDifference[];
}

/**
 * Compares the dictionaries with Postgres in batches of agents: looks up the first and the last second of
 * every period, and reports periods that Postgres does not have.
 */
export async function* verifySnapshot(
  database: Database,
  clickhouse: ClickHouseClient,
): AsyncGenerator<VerifiedBatch> {
  const transaction = await database.transaction({
    isolationLevel: 'repeatable read',
    readOnly: true,
  });
  try {
    let aboveAgentKey = 0;
    while (aboveAgentKey < lastAgentKey) {
      const periods = await readSnapshotPeriods(transaction, aboveAgentKey, agentsPerBatch);
      const upToAgentKey = periods.at(-1)?.agentKey ?? lastAgentKey;
      const differences = [
        ...(periods.length === 0 ? [] : await wrongLookups(clickhouse, periods)),
        ...(await unexpectedPeriods(clickhouse, periods, aboveAgentKey, upToAgentKey)),
      ];
      const agents = new Set(periods.map(({ agentKey }) => agentKey)).size;
      yield { agents, periods: periods.length, differences };
      aboveAgentKey = upToAgentKey;
    }
  } finally {
    await transaction.rollback();
  }
}

/** The dictionary's attributes: all columns but its key and range. */
const attributes = snapshotColumns
  .filter((column) => column !== 'agent_key' && column !== 'valid_from' && column !== 'valid_to')
  .map((column) => {
    if (column === 'custom') return { column, attribute: 'custom_json', read: customFromJson };
    const isList = column === 'custom_number_keys';
    return { column, attribute: column, read: (x: string) => (isList ? x : `toString(${x})`) };
  });

const snapshots = "concat(currentDatabase(), '.agent_metadata')";
const changes = "concat(currentDatabase(), '.agent_metadata_changes')";

function lookUp(dictionary: string): string {
  const names = attributes.map(({ attribute }) => `'${attribute}'`).join(', ');
  return `dictGet(${dictionary}, (${names}), agent_key, at)`;
}

async function wrongLookups(
  clickhouse: ClickHouseClient,
  periods: readonly SnapshotPeriod[],
): Promise<readonly SnapshotDifference[]> {
  const expected = periods.flatMap((period) =>
    [...new Set([period.validFromS, period.validToS])].map((atS) => ({ period, atS })),
  );
  // One JSON text: thousands of SQL literals would take seconds to parse.
  const points = expected.map(({ period: { agentKey }, atS }) => `[${agentKey},${atS}]`);
  const lookups = await queryRows<Record<string, unknown>>(
    clickhouse,
    `SELECT dictHas(${changes}, agent_key, at) OR dictHas(${snapshots}, agent_key, at) AS has,
            if(dictHas(${changes}, agent_key, at), ${lookUp(changes)}, ${lookUp(snapshots)}) AS found,
            ${attributes.map(({ column, read }, i) => `${read(`tupleElement(found, ${i + 1})`)} AS ${column}`).join(', ')}
      FROM (
        SELECT arrayJoin(JSONExtract('[${points.join(',')}]', 'Array(Array(UInt64))')) AS point,
               point[1] AS agent_key, toDateTime(point[2], 'UTC') AS at
      )`,
    { clickhouse_settings: { max_query_size: '0' } },
  );
  return expected.flatMap(({ period: { agentKey, columns }, atS }, i) => {
    const lookup = lookups[i];
    const text = lookup?.has === 1 ? changedColumns(columns, lookup) : 'missing';
    return text === '' ? [] : [{ agentKey, atS, text }];
  });
}

function changedColumns(
  wanted: Readonly<Record<string, unknown>>,
  found: Readonly<Record<string, unknown>>,
): string {
  return attributes
    .map(({ column }) => ({ column, is: parts(found[column]), should: parts(wanted[column]) }))
    .filter(({ is, should }) => JSON.stringify(is) !== JSON.stringify(should))
    .map(({ column, is, should }) => `${column} is ${shown(is)}, not ${shown(should)}`)
    .join('; ');
}

type Part = string | readonly [key: string, value: unknown];

/** Maps and lists have no order. */
function parts(value: unknown): readonly Part[] {
  if (typeof value !== 'object' || value === null) return [String(value)];
  if (Array.isArray(value)) return value.map(String).sort();
  return Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
}

function shown(found: readonly Part[]): string {
  return found.map((part) => (typeof part === 'string' ? part : part.join('='))).join(', ');
}

async function unexpectedPeriods(
  clickhouse: ClickHouseClient,
  periods: readonly SnapshotPeriod[],
  aboveAgentKey: number,
  upToAgentKey: number,
): Promise<readonly SnapshotDifference[]> {
  const expected = new Set(periods.map(({ agentKey, validFromS }) => `${agentKey} ${validFromS}`));
  const found = await queryRows<{ agentKey: number; atS: number }>(
    clickhouse,
    `SELECT toFloat64(agent_key) AS agentKey, toUnixTimestamp(valid_from) AS atS
      FROM (
        SELECT agent_key, valid_from FROM dictionary(${changes})
        UNION ALL
        SELECT agent_key, valid_from FROM dictionary(${snapshots})
        WHERE NOT dictHas(${changes}, agent_key, valid_from)
      )
      WHERE agent_key > ${aboveAgentKey} AND agent_key <= ${upToAgentKey}`,
  );
  return found
    .filter(({ agentKey, atS }) => !expected.has(`${agentKey} ${atS}`))
    .map((period) => ({ ...period, text: 'unexpected' }));
}
