import type { AggregateMetricQuery } from '../request/metric-query.ts';
import { measuredValue, scheduleBlock } from './measured-value.ts';
import { percentileLevels } from './percentiles.ts';
import type { ResultRows } from './result-rows.ts';
import { groupBy, list, subquery } from './sql-text.ts';
import type { StatisticsKeys } from './statistics.ts';

/**
 * Results of different weight: those of a ratio, and normalised ones. A group is an array of
 * (value, weight) in the order of values; weights need not add up to 1 until the end.
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
      `${tiesByWeight('points.2', 'xs')} AS ws`,
      'arrayMap((reached, w) -> reached - w / 2, arrayCumSum(ws), ws) AS middles',
      'middles[1] AS first_middle',
      'middles[-1] - first_middle AS span',
    ]),
    `FROM ${subquery(points)}`,
  ].join('\n');
}

/** Weights of equal values in ascending order, as docs/statistics.md has it. */
function tiesByWeight(weights: string, values: string): string {
  const runs = `arraySplit((w, step) -> step != 0, ${weights}, arrayDifference(${values}))`;
  return `arrayFlatten(arrayMap(run -> arraySort(run), ${runs}))`;
}

function ratioPoints(query: AggregateMetricQuery, rows: ResultRows, keys: StatisticsKeys): string {
  const columns = ['agent_key', 'unit_id', ...keys.bucket, ...measuredValue(query)];
  return collectedPoints('own_weight', rows.select(columns), keys);
}

// Each step divides the weight of its group evenly: an agent's results in a block have shares that
// add up to 1, so the shares of a block add up to its agents, and the weights of a block to 1.
function normalisedPoints(
  query: AggregateMetricQuery,
  rows: ResultRows,
  keys: StatisticsKeys,
): string {
  const block = `${scheduleBlock(query)} AS block`;
  const columns = ['agent_key', 'unit_id', ...keys.bucket, block, ...measuredValue(query)];
  const ofAgent = `OVER (PARTITION BY ${[...keys.names, 'block', 'agent_key'].join(', ')})`;
  const ofBlock = `OVER (PARTITION BY ${[...keys.names, 'block'].join(', ')})`;
  const share =
    query.metric.measure.kind === 'value'
      ? `1 / count() ${ofAgent}`
      : `own_weight / sum(own_weight) ${ofAgent}`;
  const carried = [...keys.names, 'agent_key', 'unit_id', 'x'];
  const shares = [
    'SELECT',
    list([...carried, 'block', `${share} AS share`]),
    `FROM ${subquery(rows.select(columns))}`,
  ].join('\n');
  const weights = [
    'SELECT',
    list([...carried, `share / sum(share) ${ofBlock} AS weight`]),
    `FROM ${subquery(shares)}`,
  ].join('\n');
  return collectedPoints('weight', weights, keys);
}

function collectedPoints(weight: string, weightedRows: string, keys: StatisticsKeys): string {
  return [
    'SELECT',
    list([
      ...keys.names,
      // By the value alone: comparing pairs takes four times as long, and ties are few.
      `arraySort(point -> point.1, groupArray((x, ${weight}))) AS points`,
      'count() AS samples',
      'uniqExact(agent_key) AS agents',
      'uniqExact(unit_id) AS units',
    ]),
    `FROM ${subquery(weightedRows)}`,
    ...groupBy(keys.names),
    'HAVING samples > 0',
  ].join('\n');
}
