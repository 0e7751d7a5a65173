import { resultsTable } from '../../catalog/result.ts';
import { param, sql, type Expression } from '../../shared/sql/expression.ts';
import type { Column, Step } from '../../shared/sql/select.ts';
import type { MetricQuery } from '../request/metric-query.ts';
import { metadataAttributes, metadataColumns } from './field-value.ts';
import { filterCondition } from './filter-condition.ts';
import { knownMetadataJoin } from './known-metadata-join.ts';
import { measuredValue } from './measured-value.ts';
import type { SplitColumn } from './split-column.ts';
import { utcRange } from './utc-range.ts';

/** The first step: one row per selected result, with its value and splits. */
export function resultsStep(
  query: MetricQuery,
  splits: readonly SplitColumn[],
  columns: readonly Column[],
): Step {
  const { metric, prefilter, filters, knownAt } = query;
  const attributes = metadataAttributes(
    query.splits,
    filters.map(({ field }) => field),
  );
  const selected = [
    ...splits.map(({ definition }) => definition),
    ...columns,
    ...measuredValue(metric),
  ];
  return {
    name: 'results',
    select: {
      define: metadataColumns(attributes, knownAt && 'known'),
      // A split by unit may repeat a selected column.
      columns: [...new Set(selected)],
      from: resultsTable(metric.test),
      final: true,
      ...(knownAt && { join: knownMetadataJoin(attributes, query.organisationId, knownAt) }),
      where: [
        ...keyRange(query),
        ...localRange(query),
        metric.existsWhen,
        ...(prefilter ? [metric.prefilter] : []),
        ...filters.map(filterCondition),
      ].filter((condition) => condition !== '1'),
    },
  };
}

// Day and time: the sorting key starts with toDate(dtime) and has dtime after agent_key, and
// ClickHouse does not derive one condition from the other.
function keyRange(query: MetricQuery): readonly Expression[] {
  const { fromUtc, endUtc } = utcRange(query.time);
  const from = param('from_utc', "DateTime64(3, 'UTC')", fromUtc);
  const end = param('end_utc', "DateTime64(3, 'UTC')", endUtc);
  return [
    sql`organisation_id = ${param('organisation', 'UInt32', query.organisationId)}`,
    sql`toDate(dtime) >= toDate(${from})`,
    sql`toDate(dtime) <= toDate(${end})`,
    sql`dtime >= ${from}`,
    sql`dtime < ${end}`,
  ];
}

// keyRange is exact for an instant. A local time is a different instant in each time zone.
function localRange({ time: { from, to } }: MetricQuery): readonly Expression[] {
  return [
    ...(from.kind === 'local'
      ? [sql`local_time >= ${param('from', "DateTime('UTC')", from.clock)}`]
      : []),
    ...(to.kind === 'local'
      ? [sql`local_time <= ${param('to', "DateTime('UTC')", to.clock)}`]
      : []),
  ];
}
