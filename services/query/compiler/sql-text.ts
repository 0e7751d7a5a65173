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

/** A text as ClickHouse reads it between the given quotes, whatever is in it. */
export function quoted(text: string, quote: "'" | '`'): string {
  return quote + text.replaceAll(/[\\'`\n\r\t\0\b\f]/g, (c) => escapes[c] ?? `\\${c}`) + quote;
}

const escapes: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
};
