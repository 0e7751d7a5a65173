import type { AggregateMetricQuery } from '../request/metric-query.ts';
import { measuredValue } from './measured-value.ts';
import { percentileLevels } from './percentiles.ts';
import type { ResultRows } from './result-rows.ts';
import { groupBy, list, subquery } from './sql-text.ts';
import type { StatisticsKeys } from './statistics.ts';

/** Every result counts the same. */
export function plainStatistics(
  query: AggregateMetricQuery,
  rows: ResultRows,
  keys: StatisticsKeys,
): string {
  return [
    'SELECT',
    list([
      ...keys.names,
      ...evenStatistics('x'),
      'count() AS samples',
      'uniqExact(agent_key) AS agents',
      'uniqExact(unit_id) AS units',
    ]),
    `FROM ${subquery(rows.select(['agent_key', 'unit_id', ...keys.bucket, ...measuredValue(query)]))}`,
    ...groupBy(keys.names),
    // Without keys there is one group even of no results at all: absent, not zero.
    'HAVING samples > 0',
  ].join('\n');
}

/** Statistics of a column whose values all weigh the same. */
export function evenStatistics(value: string): readonly string[] {
  return [
    `avg(${value}) AS mean`,
    // The textbook formula E[x²] - E[x]² loses all digits where values are large and close together.
    `stddevPopStable(${value}) AS deviation`,
    'toFloat64(count()) AS effective_count',
    `min(${value}) AS lowest`,
    `max(${value}) AS highest`,
    `quantilesExactInclusive(${percentileLevels.join(', ')})(${value}) AS quantiles`,
  ];
}
