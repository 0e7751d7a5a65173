import {
  type ClickHouseClient,
  ClickHouseError,
  type ClickHouseSettings,
} from '@clickhouse/client';
import type { IncomingMessage } from 'node:http';
import { context, type Context } from '@opentelemetry/api';
import type {
  ClickHouseFigures,
  ClickHousePool,
  Question,
} from '../../shared/clickhouse/clickhouse-figures.ts';
import { AppError } from '../../shared/errors/app-error.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import { paramValues } from '../../shared/sql/print-query.ts';
import type { CompiledQuery } from '../compiler/compiled-query.ts';
import { exceptionGuard } from './exception-guard.ts';
import type { QueryRequest } from './query-request.ts';
import { type QueryLimits, querySettings } from './query-settings.ts';
import type { QuerySlots } from './query-slots.ts';
import { readAnswer } from './read-answer.ts';
import { refuseLongParams } from './refuse-long-params.ts';
import { toQueryError } from './to-query-error.ts';

export interface QueryRunner {
  /** The answer as ClickHouse sends it. Reading it is what runs the query. */
  readonly runQuery: (query: RunnableQuery, request: QueryRequest) => AsyncGenerator<Buffer>;
}

export interface RunnableQuery extends Pick<CompiledQuery, 'sql' | 'params'> {
  /** Beside those of every query. */
  readonly settings?: ClickHouseSettings;
  /** One JSON object a line, unless told otherwise. */
  readonly format?: 'JSONEachRow' | 'CSVWithNames' | 'Parquet';
}

interface Parts {
  readonly queries: ClickHouseClient;
  /** Has connections of its own, so that a kill does not wait behind the queries. */
  readonly background: ClickHouseClient;
  readonly limits: QueryLimits;
  readonly slots: QuerySlots;
  readonly figures: ClickHouseFigures;
  /** That of `queries`. */
  readonly pool: ClickHousePool;
  readonly logger: Logger;
}

/** The one place that sends a caller's query to ClickHouse. */
export function queryRunner(parts: Parts): QueryRunner {
  const { queries, background, limits, slots, figures, pool, logger } = parts;
  return {
    // What reads the answer may be a span of its own; the query belongs to whoever asks for it.
    runQuery: (query, request) => runQuery(query, request, context.active()),
  };

  async function* runQuery(
    query: RunnableQuery,
    request: QueryRequest,
    asker: Context,
  ): AsyncGenerator<Buffer> {
    refuseLongParams(query.params);
    const release = await slots.acquire(request.organisationId, request.signal);
    const deadline = AbortSignal.timeout(limits.queryTimeoutMs + answerGraceMs);
    const signal = AbortSignal.any([request.signal, deadline]);
    const question = figures.begin(request.kind, pool, asker);
    let isOver = false;
    try {
      yield* answer(query, request, signal, question);
      isOver = true;
    } catch (error) {
      isOver = error instanceof ClickHouseError;
      if (!deadline.aborted) request.signal.throwIfAborted();
      const reason = deadline.aborted ? new AppError('QUERY_TIMEOUT', { cause: error }) : error;
      question.failed(reason);
      throw toQueryError(reason, limits);
    } finally {
      question.end();
      if (!isOver) void killQuery(request.queryId);
      release();
    }
  }

  async function* answer(
    { sql, params, settings, format = 'JSONEachRow' }: RunnableQuery,
    request: QueryRequest,
    signal: AbortSignal,
    question: Question,
  ): AsyncGenerator<Buffer> {
    signal.throwIfAborted();
    const { stream, response_headers, summary } = await queries.exec({
      query: `${sql}\nFORMAT ${format}`,
      query_params: paramValues(params),
      query_id: request.queryId,
      clickhouse_settings: {
        ...querySettings(limits),
        ...settings,
        log_comment: logComment(request),
        // What deploy/clickhouse/roles limits by: an organisation, not the one user we log in as.
        quota_key: String(request.organisationId),
      },
      abort_signal: signal,
      http_headers: question.headers,
    });
    request.cost.rowsRead = Number(summary?.read_rows ?? 0);
    request.cost.bytesRead = Number(summary?.read_bytes ?? 0);
    question.read(request.cost.rowsRead, request.cost.bytesRead);
    // The client listens to the signal only until the headers are there.
    const leave = () => stream.destroy(signal.reason as Error);
    signal.addEventListener('abort', leave);
    if (signal.aborted) leave();
    try {
      yield* exceptionGuard(readAnswer(stream as IncomingMessage), tagOf(response_headers));
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  // A query whose reader has gone would run on to its end: closing the connection does not stop it
  // on every server. When it has ended already, nothing is found to kill.
  async function killQuery(queryId: string): Promise<void> {
    try {
      await background.command({
        query: 'KILL QUERY WHERE query_id = {id:String} ASYNC',
        query_params: { id: queryId },
      });
    } catch (error) {
      logger.warn('a query left behind could not be killed', { queryId, error: String(error) });
    }
  }
}

/** ClickHouse ends a query that takes too long; this is for when ClickHouse itself hangs. */
const answerGraceMs = 5_000;

function logComment({ organisationId, route }: QueryRequest): string {
  return JSON.stringify({ organisation: organisationId, route });
}

function tagOf(headers: Readonly<Record<string, unknown>>): string | undefined {
  const tag = headers['x-clickhouse-exception-tag'];
  return typeof tag === 'string' ? tag : undefined;
}
