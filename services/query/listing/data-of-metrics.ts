import type { ClickHouseClient } from '@clickhouse/client';
import { LRUCache } from 'lru-cache';
import type { Metric } from '../../catalog/metric.ts';
import { metrics } from '../../catalog/metrics.ts';
import { resultsTable, resultsView } from '../../catalog/result.ts';
import type { TestKey } from '../../catalog/test-tables.ts';
import { organisationRows } from '../execution/organisation-rows.ts';
import type { QueryLimits } from '../execution/query-settings.ts';

/** Where an organisation has results of a metric. */
export interface MetricData {
  /** Local days of the first and the last result. */
  readonly from: string;
  readonly to: string;
  /** Agents with a result in the four weeks before the last result, and those of them in its last week. */
  readonly households: number;
  readonly reportingHouseholds: number;
}

export type DataOfMetrics = (
  organisationId: number,
  asked: readonly Metric[],
) => Promise<ReadonlyMap<string, MetricData>>;

/** While results arrive, a test is read again at most once in this time, but for its first results. */
const holdMs = 60_000;
const maxCachedTests = 20_000;

interface CachedTest {
  readonly version: string;
  readonly readAtMs: number;
  readonly data: Promise<DataByCondition>;
  hasResults: boolean;
}

/** By `existsWhen`: most metrics of a test have the same results. */
type DataByCondition = ReadonlyMap<string, MetricData>;

/**
 * Where an organisation has data, per metric; metrics without results are missing. Cached per test while its results stay
 * the same. A read costs one granule at each end of the results, and the keys of the agents of four weeks: a metric
 * that has never had a result in a test that has others costs a pass over the columns of its condition.
 */
export function dataOfMetrics(clickhouse: ClickHouseClient, limits: QueryLimits): DataOfMetrics {
  const cached = new LRUCache<string, CachedTest>({ max: maxCachedTests });
  return async (organisationId, asked) => {
    const versions = await versionsOfTests(clickhouse, organisationId);
    const tests = [...new Set(asked.map(({ test }) => test))].filter((test) => versions.has(test));
    const found = new Map(
      await Promise.all(
        tests.map(async (test) => {
          const version = `${versions.get('') ?? ''}/${versions.get(test) ?? ''}`;
          return [test, await dataOfTest(organisationId, test, version)] as const;
        }),
      ),
    );
    return new Map(
      asked.flatMap(({ key, test, existsWhen }) => {
        const data = found.get(test)?.get(existsWhen);
        return data === undefined ? [] : [[key, data] as const];
      }),
    );
  };

  function dataOfTest(
    organisationId: number,
    test: TestKey,
    version: string,
  ): Promise<DataByCondition> {
    const key = `${organisationId}:${test}`;
    const known = cached.get(key);
    const isHeld = known?.hasResults === true && performance.now() < known.readAtMs + holdMs;
    if (known !== undefined && (known.version === version || isHeld)) return known.data;
    const data = readData(clickhouse, limits, organisationId, test);
    const entry: CachedTest = { version, readAtMs: performance.now(), data, hasResults: false };
    cached.set(key, entry);
    data.then(
      ({ size }) => (entry.hasResults = size > 0),
      () => cached.get(key) === entry && cached.delete(key),
    );
    return data;
  }
}

/** By test; the empty one stands for all tests. Tests without results are missing. */
async function versionsOfTests(clickhouse: ClickHouseClient, organisationId: number) {
  const rows = await organisationRows<{ test: string; version: string }>(
    clickhouse,
    organisationId,
    `SELECT test, toString(sum(version)) AS version
FROM data_versions
WHERE organisation_id IN (0, {organisation:UInt32})
GROUP BY test`,
  );
  return new Map(rows.map(({ test, version }) => [test, version]));
}

async function readData(
  clickhouse: ClickHouseClient,
  limits: QueryLimits,
  organisationId: number,
  test: TestKey,
): Promise<DataByCondition> {
  const conditions = [...new Set(metrics.filter((one) => one.test === test).map(existsWhenOf))];
  const edges = await rowsOf<Edge>(edgesQuery(test, conditions), {});
  const spans = conditions.flatMap((condition, i): Span[] => {
    const [first, last] = ['first', 'last'].map(
      (side) => edges.find((edge) => edge.condition === i && edge.side === side)?.at,
    );
    return first === undefined || last === undefined ? [] : [{ condition, first, last }];
  });
  if (spans.length === 0) return new Map();
  const params = Object.fromEntries(
    spans.flatMap(({ first, last }, i) => [
      [`first${i}`, first],
      [`last${i}`, last],
    ]),
  );
  const [[days], [counts]] = await Promise.all([
    rowsOf<Record<string, string>>(daysQuery(test, spans), params),
    rowsOf<Record<string, number>>(countsQuery(test, spans), params),
  ]);
  return new Map(
    spans.map(({ condition }, i) => [
      condition,
      {
        from: days?.[`from${i}`] ?? '',
        to: days?.[`to${i}`] ?? '',
        households: counts?.[`households${i}`] ?? 0,
        reportingHouseholds: counts?.[`reporting${i}`] ?? 0,
      },
    ]),
  );

  function rowsOf<Row>(query: string, params: Readonly<Record<string, unknown>>): Promise<Row[]> {
    return organisationRows<Row>(clickhouse, organisationId, query, { params, limits });
  }
}

function existsWhenOf({ existsWhen }: Metric): string {
  return existsWhen;
}

interface Edge {
  readonly condition: number;
  readonly side: 'first' | 'last';
  /** UTC day. */
  readonly at: string;
}

/** The results of a condition, by the UTC days of the first and the last one. */
interface Span {
  readonly condition: string;
  readonly first: string;
  readonly last: string;
}

/** The sorting key begins with the organisation and the UTC day: ClickHouse stops at the first row that is a result. */
function edgesQuery(test: TestKey, conditions: readonly string[]): string {
  return conditions
    .flatMap((condition, i) =>
      (['first', 'last'] as const).map((side) => {
        const direction = side === 'first' ? '' : ' DESC';
        return `SELECT * FROM (
  SELECT ${i} AS condition, '${side}' AS side, toString(toDate(dtime)) AS at FROM ${resultsTable(test)}
  WHERE organisation_id = {organisation:UInt32} AND (${condition})
  ORDER BY organisation_id${direction}, toDate(dtime)${direction} LIMIT 1)`;
      }),
    )
    .join('\nUNION ALL ');
}

/** A local day is at most one day from the UTC day of the same instant. */
function daysQuery(test: TestKey, spans: readonly Span[]): string {
  const isFirst = (i: number) => within(`{first${i}:Date}`, `{first${i}:Date} + 1`);
  const isLast = (i: number) => within(`{last${i}:Date} - 1`, `{last${i}:Date}`);
  const columns = spans.flatMap(({ condition }, i) => [
    `toString(minIf(local_date, (${condition}) AND ${isFirst(i)})) AS from${i}`,
    `toString(maxIf(local_date, (${condition}) AND ${isLast(i)})) AS to${i}`,
  ]);
  const days = spans.flatMap((_, i) => [isFirst(i), isLast(i)]);
  return `SELECT ${columns.join(',\n  ')}
FROM ${resultsView(test)}
WHERE organisation_id = {organisation:UInt32} AND (${[...new Set(days)].join(' OR ')})`;
}

/** Without FINAL, because an agent counts once however often its results were sent. */
function countsQuery(test: TestKey, spans: readonly Span[]): string {
  const lastDays = (i: number, days: number) =>
    within(`{last${i}:Date} - ${days - 1}`, `{last${i}:Date}`);
  const columns = spans.flatMap(({ condition }, i) => [
    `toUInt32(uniqExactIf(agent_key, (${condition}) AND ${lastDays(i, 28)})) AS households${i}`,
    `toUInt32(uniqExactIf(agent_key, (${condition}) AND ${lastDays(i, 7)})) AS reporting${i}`,
  ]);
  return `SELECT ${columns.join(',\n  ')}
FROM ${resultsTable(test)}
WHERE organisation_id = {organisation:UInt32} AND (${spans.map((_, i) => lastDays(i, 28)).join(' OR ')})`;
}

/** In terms of `dtime`, which has an index. Both days included. */
function within(firstDay: string, lastDay: string): string {
  return `(dtime >= toDateTime64(${firstDay}, 3, 'UTC') AND dtime < toDateTime64(${lastDay} + 1, 3, 'UTC'))`;
}
