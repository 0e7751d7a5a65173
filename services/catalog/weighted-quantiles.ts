/**
 * SQL of the quantiles at levels from 0 to 1, over the arrays `positions` and `positioned_values` with a prefix. For
 * each level, interpolates linearly between the value at or below it and the next one. The levels are written
 * out because a lambda would copy the arrays.
 */
export function weightedQuantiles(levels: readonly string[], prefix = ''): string {
  const lineBreak = prefix === '' ? ' ' : '\n        ';
  const around = levels.map((level) => {
    const place = `arrayCount(position -> position <= ${level}, ${prefix}positions)`;
    return `    arraySlice(${prefix}positioned_values,${lineBreak}${place}, 2)`;
  });
  return `arrayMap(
    (level, around) -> around[1].1 + if(length(around) = 1, 0,
        (around[2].1 - around[1].1) * (level - around[1].2) / (around[2].2 - around[1].2)),
    [${levels.join(', ')}],
    [
    ${around.join(',\n    ')}
    ])`;
}
