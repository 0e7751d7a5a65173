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
      `[\n${list(percentileLevels.map(weightedQuantile))}\n] AS quantiles`,
    ]),
    `FROM ${subquery(rankedPoints(points, keys))}`,
  ].join('\n');
}

// Linear between the two values around the wanted position. Written out for each level: a lambda
// over the levels would copy the arrays for each.
function weightedQuantile(level: string, i: number): string {
  const below = `ranks[${i + 1}]`;
  const above = `least(${below} + 1, length(xs))`;
  const beyond = `${positionOf(level)} - positions[${below}]`;
  return `xs[${below}] + if(${below} = ${above}, 0, (xs[${above}] - xs[${below}]) * (${beyond}) / (positions[${above}] - positions[${below}]))`;
}

function positionOf(level: string): string {
  return `(positions[1] + ${level} * (positions[-1] - positions[1]))`;
}

// A step of its own, since ClickHouse writes an alias out wherever it is used.
function rankedPoints(points: string, keys: StatisticsKeys): string {
  return [
    'SELECT',
    list([
      ...keys.names,
      'samples',
      'agents',
      'units',
      'xs',
      'ws',
      'positions',
      'arraySum(ws) AS total_weight',
      'arraySum((x, w) -> x * w, xs, ws) / total_weight AS mean',
      `[\n${list(percentileLevels.map((level) => `greatest(arrayCount(position -> position <= ${positionOf(level)}, positions), 1)`))}\n] AS ranks`,
    ]),
    `FROM ${subquery(positionedPoints(points, keys))}`,
  ].join('\n');
}

// A value stands in the middle of its own weight, on a scale of all weights in the order of values.
function positionedPoints(points: string, keys: StatisticsKeys): string {
  return [
    'SELECT',
    list([
      ...keys.names,
      'samples',
      'agents',
      'units',
      'points.1 AS xs',
      'points.2 AS ws',
      'arrayMap((reached, w) -> reached - w / 2, arrayCumSum(ws), ws) AS positions',
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
