import { testTable, type TestTable } from '../../catalog/test-tables.ts';
import type { MetricQuery } from '../request/metric-query.ts';
import { filterCondition } from './filter-condition.ts';
import { metadataLookup } from './metadata-lookup.ts';
import type { ParamBinder } from './param-binder.ts';
import { splitColumn, type SplitColumn } from './split-column.ts';
import { indented, list } from './sql-text.ts';
import { utcRange } from './utc-range.ts';

/** The results a query is about, one row each. */
export interface ResultRows {
  readonly splits: readonly SplitColumn[];
  /** SELECT of the given expressions and the splits, of every result that counts. */
  readonly select: (expressions: readonly string[]) => string;
}

export function resultRows(query: MetricQuery, binder: ParamBinder): ResultRows {
  const table = testTable(query.metric.test);
  const filtered = query.filters.map(({ field }) => field);
  const metadata = metadataLookup(query.splits, filtered);
  const range = keyRange(query, binder);
  const conditions = [
    ...range,
    ...localRange(query, binder),
    query.metric.existsWhen,
    ...(query.prefilter ? [query.metric.prefilter] : []),
    ...query.filters.map((filter) => filterCondition(filter, metadata, binder)),
    ...lastRow(table, range),
  ].filter((condition) => condition !== '1');
  const splits = query.splits.map((field, i) => splitColumn(field, i, metadata, binder));

  return {
    splits,
    select: (expressions) =>
      [
        'WITH',
        list([
          'toDateTime(dtime) AS ended_at',
          metadata.definition,
          `addSeconds(ended_at, dictGetOrDefault('timezone_offset', 'utc_offset_s', ifNull(${metadata.value('timezone')}, 'UTC'), ended_at, 0)) AS local_time`,
        ]),
        'SELECT',
        list([...splits.map(({ key, alias }) => `${key} AS ${alias}`), ...expressions]),
        `FROM test_${table.key} FINAL`,
        'WHERE',
        indented(conditions.join('\nAND ')),
      ].join('\n'),
  };
}

// The day as well as the time: the key has toDate(dtime) in front and dtime behind agent_key, and
// ClickHouse does not conclude one from the other.
function keyRange(query: MetricQuery, binder: ParamBinder): readonly string[] {
  const { fromUtc, endUtc } = utcRange(query.time);
  const from = binder.bind("DateTime64(3, 'UTC')", fromUtc);
  const end = binder.bind("DateTime64(3, 'UTC')", endUtc);
  return [
    `organisation_id = ${binder.bind('UInt32', query.organisationId)}`,
    `toDate(dtime) >= toDate(${from})`,
    `toDate(dtime) <= toDate(${end})`,
    `dtime >= ${from}`,
    `dtime < ${end}`,
  ];
}

// A moment is exact in UTC already; a clock time is a different moment in each zone.
function localRange({ time: { from, to } }: MetricQuery, binder: ParamBinder): string[] {
  return [
    ...(from.kind === 'local'
      ? [`local_time >= ${binder.bind("DateTime('UTC')", from.clock)}`]
      : []),
    ...(to.kind === 'local' ? [`local_time <= ${binder.bind("DateTime('UTC')", to.clock)}`] : []),
  ];
}

/**
 * Where a test has several rows, only its last one. Duplicates change no maximum, so these rows are
 * read without FINAL.
 */
function lastRow({ key, rowKey, severalRows }: TestTable, range: readonly string[]): string[] {
  if (severalRows === undefined) return [];
  const { last, continuedWhen } = severalRows;
  const test = ['agent_key', 'dtime', ...rowKey.filter((column) => !last.includes(column))].join(
    ', ',
  );
  const lastValue = last.length === 1 ? last.join('') : `(${last.join(', ')})`;
  const isLast = (rows: string) =>
    `(${test}, ${lastValue}) IN (SELECT ${test}, max(${lastValue}) ${rows} GROUP BY ${test})`;
  const rows = `FROM test_${key} WHERE ${range.join(' AND ')}`;
  if (continuedWhen === undefined) return [isLast(rows)];

  // Found by the skip index in no time, and where no test was continued the rest is not looked at.
  const continued = `${rows} AND ${continuedWhen}`;
  return [
    `(\n${indented(
      [
        `(SELECT count() ${continued}) = 0`,
        `${continuedWhen} AND ${isLast(continued)}`,
        `NOT (${continuedWhen}) AND (${test}) NOT IN (SELECT ${test} ${continued})`,
      ].join('\nOR '),
    )}\n)`,
  ];
}
