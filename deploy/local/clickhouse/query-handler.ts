import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Engine, EngineResult } from './engines/engine.ts';
import { killResult } from './kill-result.ts';
import { isOn, parseQueryRequest } from './query-request.ts';
import type { QueryRequest } from './query-request.ts';
import { requestInput } from './request-input.ts';
import { ResponseWriter } from './response-writer.ts';
import { RunningQuery } from './running-query.ts';
import { notImplemented, ServerException, toServerException } from './server-exception.ts';
import { sqlTokens } from './sql-tokens.ts';
import { parseStatement } from './statement.ts';
import type { Statement } from './statement.ts';
import { insertResult, statementResult } from './statement-result.ts';

export type QueryHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  parameters: URLSearchParams,
) => Promise<void>;

/** Handles `GET /?query=…` and `POST /`. */
export function queryHandler(engine: Engine): QueryHandler {
  const queries = new Map<string, RunningQuery>();

  return async (req, res, parameters) => {
    const writer = new ResponseWriter(res, engine.version);
    try {
      const { body, fields } = await requestInput(req, isOn(parameters.get('decompress') ?? ''));
      const request = parseQueryRequest(req, new URLSearchParams([...parameters, ...fields]));
      writer.setQueryId(request.queryId);
      const input = statementInput(body, request);
      const statement = parseStatement(input);
      if (request.hasSession) rejectSessionState(statement);
      await whileRunning(queries, new RunningQuery(request.queryId, statement.sql), (running) => {
        res.once('close', () => engine.cancel(running));
        // The client disconnected while its request was read.
        if (res.destroyed) engine.cancel(running);
        const result = resultOf(statement, { engine, queries, running, request, input });
        return writer.sendResult(result, running, request, statement.format);
      });
    } catch (error) {
      writer.sendException(toServerException(error));
    }
  };
}

// The query parameter and the body are one text: the data of an INSERT may start in either.
function statementInput(body: Uint8Array, request: QueryRequest): Uint8Array {
  return request.query === '' ? body : Buffer.concat([Buffer.from(`${request.query}\n`), body]);
}

// Many clients send a session_id without using the session. Statements that depend on a session are
// rejected, because sessions are not kept.
function rejectSessionState({ sql }: Statement): void {
  const words = [...sqlTokens(Buffer.from(sql))].slice(0, 4).map(({ text }) => text.toUpperCase());
  const isState = words[0] === 'SET' || words[0] === 'USE' || words.includes('TEMPORARY');
  if (!isState || words.includes('DROP')) return;
  throw notImplemented(
    `${words[0]} in a session (session_id): send settings and the database with each request`,
  );
}

async function whileRunning(
  queries: Map<string, RunningQuery>,
  running: RunningQuery,
  work: (running: RunningQuery) => Promise<void>,
): Promise<void> {
  if (queries.has(running.id)) {
    throw new ServerException(
      216,
      'QUERY_WITH_SAME_ID_IS_ALREADY_RUNNING',
      `Query with id = ${running.id} is already running.`,
    );
  }
  queries.set(running.id, running);
  try {
    await work(running);
  } finally {
    queries.delete(running.id);
    running.finish();
  }
}

interface Execution {
  readonly engine: Engine;
  readonly queries: ReadonlyMap<string, RunningQuery>;
  readonly running: RunningQuery;
  readonly request: QueryRequest;
  readonly input: Uint8Array;
}

function resultOf(statement: Statement, execution: Execution): AsyncIterable<EngineResult> {
  const { engine, queries, running, request, input } = execution;
  if (statement.kind === 'kill') return killResult(engine, running, request, statement, queries);
  if (statement.kind === 'ordinary') return statementResult(engine, running, request, statement);
  return insertResult(engine, running, request, statement, input.subarray(statement.dataStart));
}
