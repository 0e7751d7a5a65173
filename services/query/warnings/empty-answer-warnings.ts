import type { ClickHouseClient } from '@clickhouse/client';
import { resultsTable } from '../../catalog/result.ts';
import type { TestKey } from '../../catalog/test-tables.ts';
import type { Warning } from '../../shared/errors/warnings.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import { organisationRows } from '../execution/organisation-rows.ts';
import type { QueryRequest } from '../execution/query-request.ts';
import type { QueryLimits } from '../execution/query-settings.ts';

/** The requested data: a metric, or all rows of a test. */
export interface Asked {
  /** The key of the metric or the test. */
  readonly key: string;
  readonly test: TestKey;
  /** SQL over a row: whether it is a result. */
  readonly existsWhen: string;
}

interface Parts {
  readonly clickhouse: ClickHouseClient;
  readonly config: QueryLimits;
  readonly logger: Logger;
}

/** A response without rows waits no longer than this for its warning. */
const timeoutMs = 2_000;
const maxListed = 5;

/**
 * Warns about a response without rows, and says where the organisation has results. Tells no more than a request without
 * filters, which a token with a privacy floor may send too. Never rejects: if ClickHouse fails there is no warning.
 */
export async function emptyAnswerWarnings(
  { clickhouse, config, logger }: Parts,
  asked: Asked,
  visible: readonly Asked[],
  { organisationId, signal }: Pick<QueryRequest, 'organisationId' | 'signal'>,
): Promise<readonly Warning[]> {
  const options = { limits: { ...config, queryTimeoutMs: timeoutMs }, signal };
  try {
    const message = await whereResultsAre(asked, visible, (query) =>
      organisationRows(clickhouse, organisationId, query, options),
    );
    return [{ code: 'NO_RESULTS', message: `No results match the request. ${message}` }];
  } catch (error) {
    if (!signal.aborted) logger.warn('could not find where results are', { error: String(error) });
    return [];
  }
}

async function whereResultsAre(
  asked: Asked,
  visible: readonly Asked[],
  run: <Row>(query: string) => Promise<readonly Row[]>,
): Promise<string> {
  const [extent] = await run<Extent>(extentQuery(asked));
  if (extent?.first && extent.last) {
    const period =
      asked.test === 'panel'
        ? ' A published result has the date of the first day of its period: the range must contain that day.'
        : '';
    return `${asked.key} has results from ${extent.first} to ${extent.last} (UTC).${period}`;
  }
  const others = oneOfEachTest(visible.filter(({ test }) => test !== asked.test));
  const found = others.length === 0 ? [] : await run<{ key: string }>(presenceQuery(others));
  const keys = found.map(({ key }) => key).sort();
  const listed = keys.slice(0, maxListed).join(', ');
  const more = keys.length > maxListed ? ` and ${keys.length - maxListed} more` : '';
  return keys.length === 0
    ? `Your organisation has no results of ${asked.key} or of any other test.`
    : `Your organisation has results of ${listed}${more}, but none of ${asked.key}.`;
}

interface Extent {
  readonly first: string | null;
  readonly last: string | null;
}

// The sorting key begins with these columns, so ClickHouse reads one granule per part, from the start or the end.
function extentQuery(asked: Asked): string {
  const day = (order: 'ASC' | 'DESC') => `(SELECT toString(toDate(dtime)) ${rowsOf(asked)}
    ORDER BY organisation_id ${order}, toDate(dtime) ${order} LIMIT 1)`;
  return `SELECT ${day('ASC')} AS first, ${day('DESC')} AS last`;
}

function presenceQuery(others: readonly Asked[]): string {
  return others
    .map((one) => `SELECT '${one.key}' AS key FROM (SELECT 1 ${rowsOf(one)} LIMIT 1)`)
    .join('\nUNION ALL\n');
}

/** Only names and SQL of the catalogue. */
function rowsOf({ test, existsWhen }: Asked): string {
  return `FROM ${resultsTable(test)} WHERE organisation_id = {organisation:UInt32} AND (${existsWhen})`;
}

function oneOfEachTest(visible: readonly Asked[]): readonly Asked[] {
  return [...new Map(visible.toReversed().map((one) => [one.test, one])).values()];
}
