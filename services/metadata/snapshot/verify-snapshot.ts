import type { ClickHouseClient } from '@clickhouse/client';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { rowTextFields } from './row-text-fields.ts';
import { clickHouseRowText, customFromJson, snapshotColumns } from './snapshot-content.ts';
import { readSnapshotTexts, type SnapshotText } from './snapshot-rows.ts';

const agentsABatch = 2_000;
const lastAgentKey = Number.MAX_SAFE_INTEGER;

/** One thing in which the dictionary does not answer as Postgres would. */
export interface SnapshotDifference {
  readonly agentKey: number;
  readonly atS: number;
  /** Column by column; `missing` or `unexpected` when only one of the two has the period. */
  readonly text: string;
}

/** Some agents, next to each other by their keys, and what is wrong with them. */
export interface VerifiedBatch {
  readonly agents: number;
  readonly periods: number;
  readonly differences: readonly SnapshotDifference[];
}

/**
 * Asks the dictionary for the first and the last second of every period that Postgres has, and for
 * agents that Postgres does not have, some thousand agents at a time.
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
      const periods = await readSnapshotTexts(transaction, aboveAgentKey, agentsABatch);
      const upToAgentKey = periods.at(-1)?.agentKey ?? lastAgentKey;
      const differences = [
        ...(periods.length === 0 ? [] : await wrongAnswers(clickhouse, periods)),
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

interface Answer {
  readonly has: 0 | 1;
  readonly text: string;
}

/** What the dictionary is asked for: all but its key and range, which are in the question. */
const attributes = snapshotColumns
  .filter((column) => column !== 'agent_key' && column !== 'valid_from' && column !== 'valid_to')
  .map((column) =>
    column === 'custom'
      ? { column, attribute: 'custom_json', read: customFromJson }
      : { column, attribute: column, read: (value: string) => value },
  );

const dictionary = "concat(currentDatabase(), '.agent_metadata')";

async function wrongAnswers(
  clickhouse: ClickHouseClient,
  periods: readonly SnapshotText[],
): Promise<readonly SnapshotDifference[]> {
  const asked = periods.flatMap((period) =>
    [...new Set([period.validFromS, period.validToS])].map((atS) => ({ period, atS })),
  );
  // One text rather than thousands of literals, which take seconds to parse.
  const points = asked.map(
    ({ period: { agentKey, validFromS, validToS }, atS }) =>
      `[${agentKey},${validFromS},${validToS},${atS}]`,
  );
  const answers = await queryRows<Answer>(
    clickhouse,
    `SELECT has, ${clickHouseRowText((column) => column)} AS text
      FROM (
        SELECT dictHas(${dictionary}, agent_key, at) AS has, agent_key, valid_from, valid_to,
               dictGet(${dictionary}, (${attributes.map(({ attribute }) => `'${attribute}'`).join(', ')}), agent_key, at) AS found,
               ${attributes.map(({ column, read }, i) => `${read(`tupleElement(found, ${i + 1})`)} AS ${column}`).join(', ')}
        FROM (
          SELECT arrayJoin(JSONExtract('[${points.join(',')}]', 'Array(Array(UInt64))')) AS point,
                 point[1] AS agent_key, toDateTime(point[2], 'UTC') AS valid_from,
                 toDateTime(point[3], 'UTC') AS valid_to, toDateTime(point[4], 'UTC') AS at
        )
      )`,
    { clickhouse_settings: { max_query_size: '0' } },
  );
  return asked.flatMap(({ period, atS }, i) => {
    const answer = answers[i];
    if (answer?.has === 1 && answer.text === period.text) return [];
    const difference = answer?.has === 1 ? changedColumns(period.text, answer.text) : 'missing';
    return [{ agentKey: period.agentKey, atS, text: difference }];
  });
}

function changedColumns(wanted: string, found: string): string {
  const foundFields = rowTextFields(found);
  return [...rowTextFields(wanted)]
    .filter(([column, value]) => foundFields.get(column) !== value)
    .map(([column, value]) => `${column} is ${foundFields.get(column) ?? ''}, not ${value}`)
    .join('; ');
}

async function unexpectedPeriods(
  clickhouse: ClickHouseClient,
  periods: readonly SnapshotText[],
  aboveAgentKey: number,
  upToAgentKey: number,
): Promise<readonly SnapshotDifference[]> {
  const expected = new Set(periods.map(({ agentKey, validFromS }) => `${agentKey} ${validFromS}`));
  const found = await queryRows<{ agentKey: number; atS: number }>(
    clickhouse,
    `SELECT toFloat64(agent_key) AS agentKey, toUnixTimestamp(valid_from) AS atS
      FROM dictionary(${dictionary})
      WHERE agent_key > ${aboveAgentKey} AND agent_key <= ${upToAgentKey}`,
  );
  return found
    .filter(({ agentKey, atS }) => !expected.has(`${agentKey} ${atS}`))
    .map((period) => ({ ...period, text: 'unexpected' }));
}
