/**
 * SQL of the quantiles at levels from 0 to 1, over the array `positioned_values` of (value, midpoint), its `midpoints`,
 * `first_midpoint` and `span`, each with a prefix. Level 0 is the first midpoint and level 1 the last. For each level,
 * interpolates linearly between the value at or below it and the next one. The levels are written out because a lambda
 * would copy the arrays.
 */
export function weightedQuantiles(levels: readonly string[], prefix = ''): string {
  const at = (level: string) => `${prefix}first_midpoint + ${level} * ${prefix}span`;
  const around = levels.map(
    (level) => `        arraySlice(${prefix}positioned_values,
            arrayCount(midpoint -> midpoint <= ${at(level)}, ${prefix}midpoints), 2)`,
  );
  return `arrayMap(
    (level, around) -> around[1].1 + if(length(around) = 1, 0,
        (around[2].1 - around[1].1)
            * (${at('level')} - around[1].2) / (around[2].2 - around[1].2)),
    [${levels.join(', ')}],
    [
${around.join(',\n')}
    ])`;
}
