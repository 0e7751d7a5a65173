import type { Engine, EngineResult } from './engines/engine.ts';
import type { QueryRequest } from './query-request.ts';
import type { RunningQuery } from './running-query.ts';
import { quoted } from './sql-tokens.ts';
import type { KillQuery } from './statement.ts';
import { statementResult } from './statement-result.ts';

/**
 * Runs KILL QUERY in this server. The engine does not know the query ids of HTTP requests, and the
 * WebAssembly engine runs no other statement while the query runs.
 */
export async function* killResult(
  engine: Engine,
  running: RunningQuery,
  request: QueryRequest,
  statement: KillQuery,
  queries: ReadonlyMap<string, RunningQuery>,
): AsyncGenerator<EngineResult> {
  const target = queries.get(idToKill(statement, request));
  const targets = target === undefined || target === running ? [] : [target];
  for (const query of targets) {
    if (statement.mode === 'TEST') continue;
    engine.cancel(query);
    if (statement.mode === 'SYNC') await query.done;
  }
  const rows = targets.map((query) => [statuses[statement.mode], query.id, 'default', query.sql]);
  const format = statement.format ?? request.defaultFormat;
  if (/^(tsv|tabseparated)$/i.test(format)) {
    yield tabSeparated(rows);
    return;
  }
  // The engine writes any other format, when it is free.
  const [row] = rows;
  const values = (row ?? columns).map((value, i) => `${quoted(value)} AS ${columns[i] ?? ''}`);
  const sql = `SELECT ${values.join(', ')} WHERE ${row === undefined ? 0 : 1}`;
  yield* statementResult(engine, running, request, {
    kind: 'ordinary',
    sql,
    format,
    streams: true,
  });
}

const columns = ['kill_status', 'query_id', 'user', 'query'];
const statuses = { SYNC: 'finished', ASYNC: 'waiting', TEST: 'unknown' } as const;

function idToKill({ queryId }: KillQuery, request: QueryRequest): string {
  return 'value' in queryId
    ? queryId.value
    : (request.parameters.get(queryId.parameter) ?? '').replace(/\\(.)/g, '$1');
}

function tabSeparated(rows: readonly (readonly string[])[]): EngineResult {
  const escaped = (value: string) =>
    value.replace(
      /[\\\t\n\r']/g,
      (c) => ({ '\t': '\\t', '\n': '\\n', '\r': '\\r' })[c] ?? `\\${c}`,
    );
  const text = rows.map((row) => `${row.map(escaped).join('\t')}\n`).join('');
  return {
    data: new TextEncoder().encode(text),
    readRows: 0,
    readBytes: 0,
    resultRows: rows.length,
    writtenRows: 0,
    writtenBytes: 0,
  };
}
