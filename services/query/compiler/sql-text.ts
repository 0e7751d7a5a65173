/** Every line four spaces in. */
export function indented(sql: string): string {
  return sql.replaceAll(/^(?=.)/gm, '    ');
}

/** One expression a line, for SELECT and WITH. */
export function list(expressions: readonly string[]): string {
  return indented(expressions.join(',\n'));
}

/** As the source of an outer query. */
export function subquery(sql: string): string {
  return `(\n${indented(sql)}\n)`;
}

/** Left out where there is nothing to group by. */
export function groupBy(keys: readonly string[]): string[] {
  return keys.length === 0 ? [] : [`GROUP BY ${keys.join(', ')}`];
}
