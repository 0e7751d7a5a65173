import { ServerException } from './server-exception.ts';
import { sqlTokens, unquoted } from './sql-tokens.ts';
import type { SqlToken } from './sql-tokens.ts';

/** A statement as far as the server parses it. */
export type Statement = OrdinaryStatement | InsertWithData | KillQuery;

export interface OrdinaryStatement {
  readonly kind: 'ordinary';
  readonly sql: string;
  /** Format of the FORMAT clause. */
  readonly format: string | undefined;
  /** Whether the engine can stream the result in chunks. */
  readonly streams: boolean;
}

/** INSERT … FORMAT X or VALUES. */
export interface InsertWithData {
  readonly kind: 'insert';
  /** Without its data. */
  readonly sql: string;
  readonly format: undefined;
  /** `INSERT INTO t (a, b)` */
  readonly head: string;
  /** `SETTINGS x = 1 FORMAT CSV` */
  readonly tail: string;
  readonly dataStart: number;
}

/** KILL QUERY WHERE query_id = …, the only form that the server handles itself. */
export interface KillQuery {
  readonly kind: 'kill';
  readonly sql: string;
  readonly queryId: { readonly value: string } | { readonly parameter: string };
  readonly mode: 'SYNC' | 'ASYNC' | 'TEST';
  readonly format: string | undefined;
}

export function parseStatement(input: Uint8Array): Statement {
  const tokens: SqlToken[] = [];
  let depth = 0;
  let settingsAt: number | undefined;
  for (const token of sqlTokens(input)) {
    const previous = tokens.at(-1);
    tokens.push(token);
    if (token.text === '(') depth++;
    if (token.text === ')') depth--;
    if (depth !== 0 || !isWord(tokens[0], 'INSERT')) continue;
    // INSERT INTO t SELECT … and INSERT INTO t FROM INFILE … have no inline data.
    if (isWord(token, 'SELECT', 'WITH', 'FROM')) break;
    if (isWord(token, 'SETTINGS')) settingsAt = token.start;
    if (isWord(token, 'VALUES') && tokens.length > 3) {
      return insertWithData(input, token, settingsAt ?? token.start, 'FORMAT Values');
    }
    if (isWord(previous, 'FORMAT') && previous !== undefined && tokens.length > 4) {
      return insertWithData(input, token, settingsAt ?? previous.start, undefined);
    }
  }
  return withoutData(input, tokens);
}

function insertWithData(
  input: Uint8Array,
  last: SqlToken,
  fileAt: number,
  format: string | undefined,
): InsertWithData {
  const head = sqlText(input.subarray(0, fileAt));
  const tailEnd = format === undefined ? last.end : last.start;
  const tail = `${sqlText(input.subarray(fileAt, tailEnd))} ${format ?? ''}`.trim();
  return {
    kind: 'insert',
    sql: `${head}${tail}`,
    format: undefined,
    head,
    tail,
    dataStart: format === undefined ? startOfData(input, last.end) : last.end,
  };
}

// After FORMAT X: an optional semicolon, spaces, and at most one line end belong to the statement.
function startOfData(input: Uint8Array, formatEnd: number): number {
  let at = formatEnd;
  if (input[at] === 0x3b) at++;
  while (input[at] === 0x20 || input[at] === 0x09 || input[at] === 0x0c) at++;
  if (input[at] === 0x0d) at++;
  if (input[at] === 0x0a) at++;
  return at;
}

function withoutData(input: Uint8Array, read: readonly SqlToken[]): Statement {
  const tokens = isWord(read[0], 'INSERT') ? [...sqlTokens(input)] : read;
  const end = tokens.findIndex((token) => token.text === ';');
  const body = end === -1 ? tokens : tokens.slice(0, end);
  if (body.length === 0) throw new ServerException(62, 'SYNTAX_ERROR', 'Empty query.');
  if (tokens.slice(body.length).some((token) => token.text !== ';')) {
    throw new ServerException(62, 'SYNTAX_ERROR', 'Multi-statements are not allowed.');
  }
  const sql = sqlText(input.subarray(0, body.at(-1)?.end));
  const format = formatClause(body);
  return killQuery(sql, body, format) ?? { kind: 'ordinary', sql, format, streams: streams(body) };
}

// The engine uses C strings: a zero byte would silently truncate the statement.
function sqlText(bytes: Uint8Array): string {
  if (bytes.includes(0)) {
    throw new ServerException(62, 'SYNTAX_ERROR', 'A statement must not contain a zero byte.');
  }
  return new TextDecoder().decode(bytes);
}

// The last FORMAT x outside brackets that only SETTINGS may follow, unlike SELECT format x FROM t.
function formatClause(tokens: readonly SqlToken[]): string | undefined {
  let depth = 0;
  let found: string | undefined;
  tokens.forEach((token, index) => {
    if (token.text === '(') depth++;
    if (token.text === ')') depth--;
    const name = tokens[index + 1];
    const after = tokens[index + 2];
    if (depth !== 0 || index === 0 || !isWord(token, 'FORMAT') || name?.kind !== 'word') return;
    if (after === undefined || isWord(after, 'SETTINGS')) found = name.text;
  });
  return found;
}

// WITH TOTALS appends a second table to the result, which the engine returns as another chunk.
function streams(tokens: readonly SqlToken[]): boolean {
  const first = tokens.find((token) => token.text !== '(');
  const hasTotals = tokens.some(
    (token, i) => isWord(token, 'TOTALS') && isWord(tokens[i - 1], 'WITH'),
  );
  return isWord(first, 'SELECT', 'WITH') && !hasTotals && !tokens.some((t) => isWord(t, 'OUTFILE'));
}

function killQuery(
  sql: string,
  all: readonly SqlToken[],
  format: string | undefined,
): KillQuery | undefined {
  const tokens = format === undefined ? all : all.slice(0, -2);
  const last = tokens.at(-1);
  const mode = isWord(last, 'SYNC', 'ASYNC', 'TEST') ? last?.text.toUpperCase() : undefined;
  const condition = (mode === undefined ? tokens : tokens.slice(0, -1)).slice(5);
  const head = tokens.slice(0, 5).map((token) => token.text.toUpperCase());
  if (head.join(' ') !== 'KILL QUERY WHERE QUERY_ID =') return undefined;
  const queryId = stringValue(condition);
  if (queryId === undefined) return undefined;
  return { kind: 'kill', sql, queryId, mode: (mode ?? 'ASYNC') as KillQuery['mode'], format };
}

// 'abc' or {id:String}
function stringValue(tokens: readonly SqlToken[]): KillQuery['queryId'] | undefined {
  const [first, name] = tokens;
  if (tokens.length === 1 && first?.kind === 'string') return { value: unquoted(first) };
  const text = tokens.map((token) => token.text).join('');
  return name !== undefined && /^\{\w+:String\}$/.test(text) ? { parameter: name.text } : undefined;
}

function isWord(token: SqlToken | undefined, ...words: string[]): boolean {
  return token?.kind === 'word' && words.includes(token.text.toUpperCase());
}
