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
  return [
    'WITH',
    list([
      'points.1 AS xs',
      'points.2 AS ws',
      'arraySum(ws) AS total_weight',
      // Where each value stands: in the middle of its own weight.
      'arrayMap((reached, w) -> reached - w / 2, arrayCumSum(ws), ws) AS positions',
      'positions[1] AS first_position',
      'positions[-1] - first_position AS span',
    ]),
    'SELECT',
    list([
      ...keys.names,
      'arraySum((x, w) -> x * w, xs, ws) / total_weight AS mean',
      'sqrt(arraySum((x, w) -> w * pow(x - mean, 2), xs, ws) / total_weight) AS deviation',
      'pow(total_weight, 2) / arraySum(w -> w * w, ws) AS effective_count',
      'samples',
      'agents',
      'units',
      'xs[1] AS lowest',
      'xs[-1] AS highest',
      `[\n${list(percentileLevels.map(weightedQuantile))}\n] AS quantiles`,
    ]),
    `FROM ${subquery(points)}`,
  ].join('\n');
}

// Linear between the two values around the wanted position. Written out for each level: a lambda
// over the levels would copy the arrays for each.
function weightedQuantile(level: string): string {
  const wanted = `first_position + ${level} * span`;
  const below = `greatest(arrayCount(position -> position <= ${wanted}, positions), 1)`;
  const above = `least(${below} + 1, length(xs))`;
  const share = `(${wanted} - positions[${below}]) / (positions[${above}] - positions[${below}])`;
  return `xs[${below}] + if(${below} = ${above}, 0, (xs[${above}] - xs[${below}]) * ${share})`;
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
      'uniqExactMerge(block_agents) AS agents',
      'uniqExactMerge(block_units) AS units',
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
      'uniqExactState(agent_key) AS block_agents',
      'uniqExactArrayState(agent_units) AS block_units',
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
