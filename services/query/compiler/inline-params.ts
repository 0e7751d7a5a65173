import type { CompiledQuery, QueryParam } from './compiled-query.ts';

/** The same query with its values written into it, ready to paste into a ClickHouse client. */
export function inlineParams(compiled: CompiledQuery): string {
  // Placeholders such as {p0:DateTime64(3, 'UTC')}. One pass, so that a value which looks like a
  // placeholder stays the text it is.
  return compiled.sql.replaceAll(/\{(p\d+):[^}]+\}/g, (placeholder, name: string) => {
    const param = compiled.params[name];
    return param === undefined ? placeholder : literal(param);
  });
}

function literal({ type, value }: QueryParam): string {
  if (type === 'Identifier') return quoted(String(value), '`');
  if (typeof value === 'object') return `[${value.map((item) => scalar(item)).join(', ')}]`;
  return type.startsWith('DateTime')
    ? `CAST(${scalar(value)}, ${quoted(type, "'")})`
    : scalar(value);
}

function scalar(value: string | number): string {
  return typeof value === 'number' ? String(value) : quoted(value, "'");
}

function quoted(text: string, quote: "'" | '`'): string {
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
