import type { AggregateMetricQuery } from '../request/metric-query.ts';
import { measuredValue, scheduleBlock } from './measured-value.ts';
import { percentileLevels } from './percentiles.ts';
import type { ResultRows } from './result-rows.ts';
import { groupBy, list, subquery } from './sql-text.ts';
import type { StatisticsKeys } from './statistics.ts';

/**
 * Results of different weight: those of a ratio, and normalised ones. A group is an array of
 * (value, weight), sorted once; weights need not add up to 1 until the end.
 */
export function weightedStatistics(
  query: AggregateMetricQuery,
  rows: ResultRows,
  keys: StatisticsKeys,
): string {
  const points = query.normalised
    ? normalisedPoints(query, rows, keys)
    : ratioPoints(query, rows, keys);
  const carried = [...keys.names, 'samples', 'agents', 'units', 'xs', 'ws'];
  const placed = [
    'SELECT',
    list([
      ...carried,
      'arraySum(ws) AS total_weight',
      'arraySum((x, w) -> x * w, xs, ws) / total_weight AS mean',
      // Where each value stands between the first (0) and the last (1); of one value, 0.
      'if(length(xs) = 1, [0.], arrayMap(middle -> (middle - first_middle) / span, middles)) AS places',
      'arrayZip(xs, places) AS placed_values',
    ]),
    `FROM ${subquery(positioned(points, keys))}`,
  ].join('\n');
  return [
    'SELECT',
    list([
      ...keys.names,
      'mean',
      'sqrt(arraySum((x, w) -> w * pow(x - mean, 2), xs, ws) / total_weight) AS deviation',
      'pow(total_weight, 2) / arraySum(w -> w * w, ws) AS effective_count',
      'samples',
      'agents',
      'units',
      'xs[1] AS lowest',
      'xs[-1] AS highest',
      `arrayMap((level, around) -> ${interpolated}, [${percentileLevels.join(', ')}], [\n${list(percentileLevels.map(valuesAround))}\n]) AS quantiles`,
    ]),
    `FROM ${subquery(placed)}`,
  ].join('\n');
}

/** The value at or below a level, and the next. Written out, as a lambda would copy the arrays. */
function valuesAround(level: string): string {
  return `arraySlice(placed_values, arrayCount(place -> place <= ${level}, places), 2)`;
}

/** Linear between the two, each a (value, place); the one value where there is no other. */
const interpolated =
  'around[1].1 + if(length(around) = 1, 0, (around[2].1 - around[1].1) * (level - around[1].2) / (around[2].2 - around[1].2))';

// A value stands in the middle of its own weight, on a scale of all weights in the order of values.
function positioned(points: string, keys: StatisticsKeys): string {
  return [
    'SELECT',
    list([
      ...keys.names,
      'samples',
      'agents',
      'units',
      'points.1 AS xs',
      'points.2 AS ws',
      'arrayMap((reached, w) -> reached - w / 2, arrayCumSum(ws), ws) AS middles',
      'middles[1] AS first_middle',
      'middles[-1] - first_middle AS span',
    ]),
    `FROM ${subquery(points)}`,
  ].join('\n');
}

function ratioPoints(query: AggregateMetricQuery, rows: ResultRows, keys: StatisticsKeys): string {
  const columns = ['agent_key', 'unit_id', ...keys.bucket, ...measuredValue(query)];
  return [
    'SELECT',
    list([
      ...keys.names,
      'arraySort(groupArray((x, own_weight))) AS points',
      'count() AS samples',
      'uniqExact(agent_key) AS agents',
      'uniqExact(unit_id) AS units',
    ]),
    `FROM ${subquery(rows.select(columns))}`,
    ...groupBy(keys.names),
    'HAVING samples > 0',
  ].join('\n');
}

// Three steps, each dividing the weight of its group evenly: results of an agent in a block, agents
// of a block, blocks of the bucket.
function normalisedPoints(
  query: AggregateMetricQuery,
  rows: ResultRows,
  keys: StatisticsKeys,
): string {
  return [
    'SELECT',
    list([
      ...keys.names,
      'arraySort(groupArrayArray(block_points)) AS points',
      'sum(block_samples) AS samples',
      'uniqExactArray(block_agents) AS agents',
      'uniqExactArray(block_units) AS units',
    ]),
    `FROM ${subquery(blockPoints(query, rows, keys))}`,
    ...groupBy(keys.names),
    'HAVING samples > 0',
  ].join('\n');
}

function blockPoints(query: AggregateMetricQuery, rows: ResultRows, keys: StatisticsKeys): string {
  return [
    'SELECT',
    list([
      ...keys.names,
      'count() AS agents_in_block',
      'arrayMap(point -> (point.1, point.2 / agents_in_block), groupArrayArray(agent_points)) AS block_points',
      'sum(agent_samples) AS block_samples',
      'groupArray(agent_key) AS block_agents',
      'groupUniqArrayArray(agent_units) AS block_units',
    ]),
    `FROM ${subquery(agentPoints(query, rows, keys))}`,
    ...groupBy([...keys.names, 'block']),
  ].join('\n');
}

function agentPoints(query: AggregateMetricQuery, rows: ResultRows, keys: StatisticsKeys): string {
  const block = `${scheduleBlock(query)} AS block`;
  const columns = ['agent_key', 'unit_id', ...keys.bucket, block, ...measuredValue(query)];
  const isRatio = query.metric.measure.kind === 'ratio';
  return [
    'SELECT',
    list([
      ...keys.names,
      'block',
      'agent_key',
      'count() AS agent_samples',
      isRatio
        ? 'sum(own_weight) AS agent_weight, arrayMap(point -> (point.1, point.2 / agent_weight), groupArray((x, own_weight))) AS agent_points'
        : 'arrayMap(value -> (value, 1 / agent_samples), groupArray(x)) AS agent_points',
      'groupUniqArray(unit_id) AS agent_units',
    ]),
    `FROM ${subquery(rows.select(columns))}`,
    ...groupBy([...keys.names, 'block', 'agent_key']),
  ].join('\n');
}
