import { weightedQuantiles } from '../../catalog/weighted-quantiles.ts';
import { as, type Column } from '../../shared/sql/select.ts';

// Weighted percentiles as docs/statistics.md defines them, in two steps over arrays. `prefix` separates
// several lists of one row.

/**
 * How an array of (value, weight) is sorted. By pair is simpler, and faster to plan; by value only takes a
 * quarter of the time for millions of pairs, but the weights of equal values must be sorted afterwards.
 */
export type PointOrder = 'by pair' | 'by value';

/** SQL of the ascending array. */
export function sortedPoints(points: string, order: PointOrder): string {
  return order === 'by pair' ? `arraySort(${points})` : `arraySort(point -> point.1, ${points})`;
}

/**
 * From the array `<prefix>points` of (value, weight), ascending: the values `xs`, the weights `ws`, and the columns that
 * `weightedQuantiles` reads. A midpoint is the middle of a value's weight on the scale of cumulative weights.
 */
export function midpointColumns(order: PointOrder, prefix = ''): readonly Column[] {
  const [points, xs, ws] = [`${prefix}points`, `${prefix}xs`, `${prefix}ws`];
  const middles = `${prefix}midpoints`;
  return [
    as(`${points}.1`, xs),
    as(order === 'by pair' ? `${points}.2` : weightsOfTiesAscending(points, xs), ws),
    as(`arrayMap((reached, w) -> reached - w / 2, arrayCumSum(${ws}), ${ws})`, middles),
    as(`${middles}[1]`, `${prefix}first_midpoint`),
    as(`${middles}[-1] - ${prefix}first_midpoint`, `${prefix}span`),
    as(`arrayZip(${xs}, ${middles})`, `${prefix}positioned_values`),
  ];
}

/** The columns above. */
export const arraysOfMidpoints = [
  'xs',
  'ws',
  'midpoints',
  'first_midpoint',
  'span',
  'positioned_values',
];

/** The percentile at a level from 0 to 1: a number, or SQL. */
export function percentileAt(level: number | string, prefix = ''): string {
  return `${weightedQuantiles([String(level)], prefix)}[1]`;
}

/** The same over the ascending array `xs` of values of equal weight. */
export function equalPercentileAt(level: string): string {
  return `arrayMap(rank -> xs[toInt64(floor(rank)) + 1]
            + (rank - floor(rank))
                * (xs[toInt64(ceil(rank)) + 1] - xs[toInt64(floor(rank)) + 1]),
        [${level} * (length(xs) - 1)])[1]`;
}

/** The weights of equal values are in ascending order. */
function weightsOfTiesAscending(points: string, xs: string): string {
  return `arrayFlatten(arrayMap(run -> arraySort(run),
    arraySplit((w, step) -> step != 0, ${points}.2, arrayDifference(${xs}))))`;
}
