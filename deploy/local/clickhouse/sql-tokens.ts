/** A token of a statement with its byte offsets. */
export interface SqlToken {
  readonly kind: 'word' | 'number' | 'string' | 'quotedName' | 'mark';
  /** As written, including quotes. */
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

/**
 * Splits a statement into words, strings, quoted names and marks, without comments. Works lazily on
 * bytes, because the binary data of an INSERT may follow.
 */
export function* sqlTokens(sql: Uint8Array): Generator<SqlToken> {
  let at = 0;
  while (at < sql.length) {
    const after = skipBlank(sql, at);
    if (after > at) {
      at = after;
      continue;
    }
    const { kind, end } = tokenAt(sql, at);
    yield { kind, text: textDecoder.decode(sql.subarray(at, end)), start: at, end };
    at = end;
  }
}

/** The value of a string token such as 'it''s \\ \n', without quotes and escapes. */
export function unquoted(token: SqlToken): string {
  return token.text
    .slice(1, -1)
    .replace(/\\(.)|''/gs, (_, escaped: string | undefined) =>
      escaped === undefined ? "'" : (escapes[escaped] ?? escaped),
    );
}

/** A ClickHouse string literal. */
export function quoted(value: string): string {
  return `'${value.replace(/[\\']/g, '\\$&')}'`;
}

/** A quoted ClickHouse identifier. */
export function quotedName(name: string): string {
  return `\`${name.replace(/[\\`]/g, '\\$&')}\``;
}

const textDecoder = new TextDecoder();
const escapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', 0: '\0', b: '\b' };
const code = (char: string) => char.charCodeAt(0);
const newline = code('\n');
const backslash = code('\\');

// White space and comments: -- and # to the end of the line, /* to */.
function skipBlank(sql: Uint8Array, at: number): number {
  const here = sql[at] ?? 0;
  const next = sql[at + 1] ?? 0;
  if (here <= 32) return at + 1;
  const isLineComment =
    (here === code('-') && next === code('-')) ||
    (here === code('#') && (next === code(' ') || next === code('!')));
  if (isLineComment) return endOf(sql, sql.indexOf(newline, at), 1);
  if (here !== code('/') || next !== code('*')) return at;
  return endOf(sql, Buffer.from(sql.buffer, sql.byteOffset, sql.length).indexOf('*/', at + 2), 2);
}

function endOf(sql: Uint8Array, found: number, length: number): number {
  return found === -1 ? sql.length : found + length;
}

function tokenAt(sql: Uint8Array, at: number): Pick<SqlToken, 'kind' | 'end'> {
  const here = sql[at] ?? 0;
  if (here === code("'")) return { kind: 'string', end: endOfQuoted(sql, at) };
  if (here === code('`') || here === code('"')) {
    return { kind: 'quotedName', end: endOfQuoted(sql, at) };
  }
  if (!isWordByte(here)) return { kind: 'mark', end: at + 1 };
  let end = at + 1;
  while (end < sql.length && isWordByte(sql[end] ?? 0)) end++;
  return { kind: here >= code('0') && here <= code('9') ? 'number' : 'word', end };
}

// An inner quote is doubled or escaped with a backslash.
function endOfQuoted(sql: Uint8Array, start: number): number {
  const quote = sql[start];
  for (let at = start + 1; at < sql.length; at++) {
    if (sql[at] === backslash) at++;
    else if (sql[at] === quote && sql[at + 1] === quote) at++;
    else if (sql[at] === quote) return at + 1;
  }
  return sql.length;
}

// Letters, digits, underscore, dollar, and the bytes of non-ASCII characters.
function isWordByte(byte: number): boolean {
  return (
    (byte >= 48 && byte <= 57) ||
    (byte >= 65 && byte <= 90) ||
    (byte >= 97 && byte <= 122) ||
    byte === 95 ||
    byte === 36 ||
    byte >= 128
  );
}
