import { as, type Column } from '../../shared/sql/select.ts';

// Weighted percentiles as docs/statistics.md defines them, in three steps over arrays. `prefix` separates
// several lists of one row.

/**
 * From the array `<prefix>points` of (value, weight), ascending by value: the values `xs`, the weights `ws`
 * and the middle of each value's weight on the scale of cumulative weights.
 */
export function midpointColumns(prefix = ''): readonly Column[] {
  const [points, xs, ws] = [`${prefix}points`, `${prefix}xs`, `${prefix}ws`];
  const middles = `${prefix}midpoints`;
  return [
    as(`${points}.1`, xs),
    as(weightsOfTiesAscending(points, xs), ws),
    as(`arrayMap((reached, w) -> reached - w / 2, arrayCumSum(${ws}), ${ws})`, middles),
    as(`${middles}[1]`, `${prefix}first_midpoint`),
    as(`${middles}[-1] - ${prefix}first_midpoint`, `${prefix}span`),
  ];
}

/** Positions scaled to 0 for the first value and 1 for the last; 0 for a single value. */
export function positionColumns(prefix = ''): readonly Column[] {
  const xs = `${prefix}xs`;
  return [
    as(
      `if(length(${xs}) = 1, [0.],${prefix === '' ? ' ' : '\n    '}arrayMap(midpoint -> (midpoint - ${prefix}first_midpoint) / ${prefix}span, ${prefix}midpoints))`,
      `${prefix}positions`,
    ),
    as(`arrayZip(${xs}, ${prefix}positions)`, `${prefix}positioned_values`),
  ];
}

/** The percentile at one level from 0 to 1, between the value at or below it and the next one. */
export function percentileAt(level: number, prefix = ''): string {
  return `arrayMap(
    around -> around[1].1 + if(length(around) = 1, 0,
        (around[2].1 - around[1].1) * (${level} - around[1].2) / (around[2].2 - around[1].2)),
    [arraySlice(${prefix}positioned_values,
        arrayCount(position -> position <= ${level}, ${prefix}positions), 2)])[1]`;
}

/** The weights of equal values are in ascending order. */
function weightsOfTiesAscending(points: string, xs: string): string {
  return `arrayFlatten(arrayMap(run -> arraySort(run),
    arraySplit((w, step) -> step != 0, ${points}.2, arrayDifference(${xs}))))`;
}
