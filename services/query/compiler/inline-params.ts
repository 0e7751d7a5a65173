import type { CompiledQuery, QueryParam } from './compiled-query.ts';
import { quoted } from './sql-text.ts';

/** The same query with its values written into it, ready to paste into a ClickHouse client. */
export function inlineParams(compiled: CompiledQuery): string {
  return compiled.sql.replaceAll(tokens, (token, name: string | undefined) => {
    const param = name === undefined ? undefined : compiled.params[name];
    return param === undefined ? token : literal(param);
  });
}

// Placeholders such as {p0:DateTime64(3, 'UTC')}; and names and texts, which are passed over: a custom
// field may well be called {p0:String}. One pass, so that an inlined value is not looked at again.
const tokens = /\{(p\d+):[^}]+\}|`(?:\\[\s\S]|[^`\\])*`|'(?:\\[\s\S]|[^'\\])*'/g;

function literal({ type, value }: QueryParam): string {
  if (typeof value === 'object') return `[${value.map((item) => scalar(item)).join(', ')}]`;
  return type.startsWith('DateTime')
    ? `CAST(${scalar(value)}, ${quoted(type, "'")})`
    : scalar(value);
}

function scalar(value: string | number): string {
  return typeof value === 'number' ? String(value) : quoted(value, "'");
}
