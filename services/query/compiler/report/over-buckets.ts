import { as, type Step } from '../../../shared/sql/select.ts';
import type { AggregateMetricQuery } from '../../request/metric-query.ts';
import type { PointColumn } from '../compiled-query.ts';
import { enoughAgents } from './report-point-columns.ts';
import { reaches } from './report-statistics.ts';

/** Steps after `statistics` or `floored`: from all buckets of a series to one row. Suppressed buckets do not count. */
export function overBucketsSteps(
  query: AggregateMetricQuery,
  splitKeys: readonly string[],
): readonly Step[] {
  const { report, metric, floor } = query;
  if (report?.overBuckets === undefined) return [];
  const where = [floor === undefined ? enoughAgents(report) : 'is_shown'];
  const from = floor === undefined ? 'statistics' : 'floored';
  if (report.overBuckets.kind === 'share') {
    const { atLeast } = report.overBuckets;
    const columns = [
      ...splitKeys,
      as('count()', 'bucket_count'),
      as(`countIf(${reaches('mean', atLeast)}) / bucket_count`, 'bucket_share'),
    ];
    const having = 'bucket_count > 0';
    const select = { columns, from, where, groupBy: splitKeys, having };
    return [{ name: 'over_buckets', select }];
  }
  // A network is slowest when it is busiest; delays, losses and traffic are highest.
  const order = metric.better === 'higher' ? 'round(mean, 9)' : 'round(mean, 9) DESC';
  const limit = splitKeys.length === 0 ? '1' : `1 BY ${splitKeys.join(', ')}`;
  const select = { columns: ['*'], from, where, orderBy: [order, 'bucket'], limit };
  return [{ name: 'over_buckets', select }];
}

export const bucketShareColumns: readonly PointColumn[] = [
  { name: 'bucketShare', kind: 'number', sql: 'bucket_share' },
  { name: 'bucketCount', kind: 'number', sql: 'bucket_count' },
];
