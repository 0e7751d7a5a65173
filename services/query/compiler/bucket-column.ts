import { type AggregationDefinition, aggregationDefinition } from '../../catalog/aggregations.ts';
import { type Expression, sql } from '../../shared/sql/expression.ts';
import type { AggregateMetricQuery } from '../request/metric-query.ts';
import type { PointColumn } from './compiled-query.ts';

type ShownAs = NonNullable<AggregationDefinition['shownAs']>;

/** The column that shows the bucket of a point; none of a total. `of`: SQL of the bucket. */
export function bucketColumn(
  { aggregation }: AggregateMetricQuery,
  of: (shownAs: ShownAs) => Expression = () => 'bucket',
): readonly PointColumn[] {
  const { shownAs } = aggregationDefinition(aggregation);
  return shownAs === undefined ? [] : [columnOf[shownAs](of(shownAs))];
}

const columnOf: Record<ShownAs, (bucket: Expression) => PointColumn> = {
  time: (bucket) => ({ name: 'dtime', kind: 'text', sql: clockText(bucket) }),
  date: (bucket) => ({ name: 'dtime', kind: 'text', sql: sql`toString(${bucket})` }),
  number: (bucket) => ({ name: 'aggregatedNumber', kind: 'number', sql: bucket }),
};

/** `2026-01-31T13:00:00` */
export function clockText(dateTime: Expression): Expression {
  return sql`formatDateTime(${dateTime}, '%Y-%m-%dT%H:%i:%S')`;
}
