import type { AggregateMetricQuery } from '../request/metric-query.ts';
import { meanOfResults, measuredValue, scheduleBlock } from './measured-value.ts';
import { evenStatistics } from './plain-statistics.ts';
import type { ResultRows } from './result-rows.ts';
import { groupBy, list, subquery } from './sql-text.ts';
import type { StatisticsKeys } from './statistics.ts';

/** Each household counts once, with the mean of its results; normalised: of its blocks' means. */
export function householdStatistics(
  query: AggregateMetricQuery,
  rows: ResultRows,
  keys: StatisticsKeys,
): string {
  return [
    'SELECT',
    list([
      ...keys.names,
      ...evenStatistics('household_mean'),
      'sum(household_samples) AS samples',
      'count() AS agents',
      'uniqExactArray(household_units) AS units',
    ]),
    `FROM ${subquery(query.normalised ? meansOverBlocks(query, rows, keys) : means(query, rows, keys))}`,
    ...groupBy(keys.names),
    'HAVING samples > 0',
  ].join('\n');
}

function means(query: AggregateMetricQuery, rows: ResultRows, keys: StatisticsKeys): string {
  const columns = ['agent_key', 'unit_id', ...keys.bucket, ...measuredValue(query)];
  return [
    'SELECT',
    list([
      ...keys.names,
      'agent_key',
      `${meanOfResults(query)} AS household_mean`,
      'count() AS household_samples',
      'groupUniqArray(unit_id) AS household_units',
    ]),
    `FROM ${subquery(rows.select(columns))}`,
    ...groupBy([...keys.names, 'agent_key']),
  ].join('\n');
}

function meansOverBlocks(
  query: AggregateMetricQuery,
  rows: ResultRows,
  keys: StatisticsKeys,
): string {
  const block = `${scheduleBlock(query)} AS block`;
  const columns = ['agent_key', 'unit_id', ...keys.bucket, block, ...measuredValue(query)];
  const blockMeans = [
    'SELECT',
    list([
      ...keys.names,
      'agent_key',
      `${meanOfResults(query)} AS block_mean`,
      'count() AS block_samples',
      'groupUniqArray(unit_id) AS block_units',
    ]),
    `FROM ${subquery(rows.select(columns))}`,
    ...groupBy([...keys.names, 'agent_key', 'block']),
  ].join('\n');
  return [
    'SELECT',
    list([
      ...keys.names,
      'agent_key',
      'avg(block_mean) AS household_mean',
      'sum(block_samples) AS household_samples',
      'groupUniqArrayArray(block_units) AS household_units',
    ]),
    `FROM ${subquery(blockMeans)}`,
    ...groupBy([...keys.names, 'agent_key']),
  ].join('\n');
}
