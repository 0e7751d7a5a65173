import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Engine } from './engine.ts';
import { isChange } from './journal.ts';
import type { Journal, JournalEntry } from './journal.ts';
import { killResult } from './kill-result.ts';
import { parseQueryRequest } from './query-request.ts';
import type { QueryRequest } from './query-request.ts';
import { requestBody } from './request-body.ts';
import { ResponseWriter } from './response-writer.ts';
import { RunningQuery } from './running-query.ts';
import { ServerException, toServerException } from './server-exception.ts';
import { parseStatement } from './statement.ts';
import type { Statement } from './statement.ts';
import { insertResult, statementResult } from './statement-result.ts';
import type { ResultChunk } from './statement-result.ts';

export type QueryHandler = (
  req: IncomingMessage,
  res: ServerResponse,
  parameters: URLSearchParams,
) => Promise<void>;

/** Answers `GET /?query=…` and `POST /`; with a journal, after doing again what that holds. */
export async function queryHandler(engine: Engine, journal?: Journal): Promise<QueryHandler> {
  const queries = new Map<string, RunningQuery>();
  for (const entry of journal?.entries() ?? []) await doAgain(engine, entry);

  return async (req, res, parameters) => {
    const writer = new ResponseWriter(res);
    try {
      const request = parseQueryRequest(req, parameters);
      writer.setQueryId(request.queryId);
      const input = await statementInput(req, request);
      const statement = parseStatement(input);
      await whileRunning(queries, new RunningQuery(request.queryId, statement.sql), (running) => {
        // The caller hung up before the answer's end: nobody is waiting for the rest.
        res.once('close', () => engine.cancel(running));
        if (res.destroyed) engine.cancel(running);
        const result = resultOf(statement, { engine, queries, running, request, input });
        const kept =
          journal === undefined || !isChange(input)
            ? result
            : written(result, journal, { request, input });
        return writer.sendResult(kept, running, request, statement.format);
      });
    } catch (error) {
      writer.sendException(toServerException(error), engine.version);
    }
  };
}

async function doAgain(engine: Engine, { request, input }: JournalEntry): Promise<void> {
  const statement = parseStatement(input);
  const running = new RunningQuery(request.queryId, statement.sql);
  const queries = new Map<string, RunningQuery>();
  const result = resultOf(statement, { engine, queries, running, request, input });
  const chunks = result[Symbol.asyncIterator]();
  while ((await chunks.next()).done !== true);
}

// The last chunk is answered when the journal has the statement, and not before.
async function* written(
  result: AsyncIterable<ResultChunk>,
  journal: Journal,
  entry: JournalEntry,
): AsyncGenerator<ResultChunk> {
  let last: ResultChunk | undefined;
  for await (const chunk of result) {
    if (last !== undefined) yield last;
    last = chunk;
  }
  journal.append(entry);
  if (last !== undefined) yield last;
}

// The query of the address and the body are one text, whatever the statement: the data of an
// INSERT may start in either.
async function statementInput(req: IncomingMessage, request: QueryRequest): Promise<Uint8Array> {
  const body = await requestBody(req);
  return request.query === '' ? body : Buffer.concat([Buffer.from(`${request.query}\n`), body]);
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

function resultOf(statement: Statement, execution: Execution): AsyncIterable<ResultChunk> {
  const { engine, queries, running, request, input } = execution;
  if (statement.kind === 'kill') return killResult(engine, running, request, statement, queries);
  if (statement.kind === 'ordinary') return statementResult(engine, running, request, statement);
  // A copy, since the engine takes its buffer over and this one may be shared.
  const data = new Uint8Array(input.subarray(statement.dataStart));
  return insertResult(engine, running, request, statement, data);
}
