/** A text in single quotes, or a name in backticks, escaped for ClickHouse. */
export function quote(text: string, mark: "'" | '`' = "'"): string {
  return mark + text.replaceAll(/[\\'`\n\r\t\0\b\f]/g, (c) => escapes[c] ?? `\\${c}`) + mark;
}

const escapes: Readonly<Record<string, string>> = {
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\0': '\\0',
  '\b': '\\b',
  '\f': '\\f',
};
