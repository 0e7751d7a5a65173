import {
  type ClickHouseClient,
  ClickHouseError,
  type ClickHouseSettings,
} from '@clickhouse/client';
import type { IncomingMessage } from 'node:http';
import { context, type Context } from '@opentelemetry/api';
import type {
  ClickHouseMetrics,
  ClickHousePool,
  MeasuredQuery,
} from '../../shared/clickhouse/clickhouse-metrics.ts';
import { AppError } from '../../shared/errors/app-error.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import type { CompiledQuery } from '../compiler/compiled-query.ts';
import type { KnownAt } from '../request/selection.ts';
import { exceptionGuard } from './exception-guard.ts';
import { organisationSettings } from './organisation-settings.ts';
import type { QueryRequest } from './query-request.ts';
import type { QueryWeights, WeighedQuery } from './query-weights.ts';
import { type QueryLimits, querySettings } from './query-settings.ts';
import { readResponse } from './read-response.ts';
import { type SilenceWatch, silenceWatch } from './silence-watch.ts';
import { statementRequest } from './statement-request.ts';
import { ClickHouseUnavailable, toQueryError } from './to-query-error.ts';
import type { Slots } from '../../shared/slots/organisation-slots.ts';

export interface QueryRunner {
  /**
   * Returns the response as ClickHouse sends it. The query starts when the response is read, and not before
   * `earlier` is resolved.
   */
  readonly runQuery: (
    query: RunnableQuery,
    request: QueryRequest,
    earlier?: Promise<unknown>,
  ) => AsyncGenerator<Buffer>;
  /** How many slots of its organisation a query takes. */
  readonly slotsOf: (organisationId: number, query: WeighedQuery) => Promise<number>;
}

interface RunnableQuery extends Pick<CompiledQuery, 'sql' | 'params'>, Partial<WeighedQuery> {
  readonly knownAt?: CompiledQuery['knownAt'];
  /** In addition to those of every query. */
  readonly settings?: ClickHouseSettings;
  /** Default: JSONEachRow, one JSON object per line. */
  readonly format?: 'JSONEachRow' | 'CSVWithNames' | 'Parquet';
}

interface Parts {
  readonly queries: ClickHouseClient;
  /** Uses separate connections, so that KILL QUERY does not wait for running queries. */
  readonly background: ClickHouseClient;
  readonly limits: QueryLimits;
  readonly slots: Slots;
  readonly weights: QueryWeights;
  readonly metrics: ClickHouseMetrics;
  /** The pool of `queries`. */
  readonly pool: ClickHousePool;
  /** Copies the metadata of an earlier time to ClickHouse. */
  readonly prepareMetadata: (
    organisationId: number,
    knownAt: KnownAt,
    signal: AbortSignal,
  ) => Promise<void>;
  /** The name of the cluster; empty for a single server. */
  readonly cluster: string;
  /** Time without a byte after which we check that the query is still running. */
  readonly silenceMs: number;
  readonly logger: Logger;
}

/** The only place that sends client queries to ClickHouse. */
export function queryRunner(parts: Parts): QueryRunner {
  const { queries, background, limits, slots, metrics, pool, cluster, silenceMs, logger } = parts;
  const { prepareMetadata, weights } = parts;
  return {
    // The response may be read within another span. The parent is the span that starts the query.
    runQuery: (query, request, earlier) => runQuery(query, request, context.active(), earlier),
    slotsOf: (organisationId, query) => weights.slotsOf(organisationId, query),
  };

  async function* runQuery(
    query: RunnableQuery,
    request: QueryRequest,
    parent: Context,
    earlier?: Promise<unknown>,
  ): AsyncGenerator<Buffer> {
    const weight = await slotsOfQuery(query, request);
    const release = await slots.acquire(request.organisationId, request.signal, weight);
    const isHeavy = weight > 1 || isExport(request);
    const share = weights.shareOf(request.organisationId, isHeavy);
    const measured = metrics.begin(request.kind, pool, parent);
    const failure = new AbortController();
    // The response may no longer have a reader, so the failure must not wait for one.
    const fail = (error: AppError) => {
      measured.failed(error);
      failure.abort(error);
      request.abort(error);
      void killQuery(request.queryId);
      release();
    };
    const deadline = setTimeout(() => fail(new AppError('QUERY_TIMEOUT')), deadlineMs(limits));
    let watch: SilenceWatch | undefined;
    const signal = AbortSignal.any([request.signal, failure.signal]);
    let hasEnded = false;
    try {
      await earlier;
      for (const knownAt of query.knownAt ?? []) {
        await prepareMetadata(request.organisationId, knownAt, signal);
      }
      watch = silenceWatch({
        isRunning: () => isRunning(request.queryId),
        onLost: () => fail(connectionLost()),
        silenceMs,
      });
      yield* response(query, request, { signal, measured, watch, share });
      hasEnded = true;
    } catch (error) {
      failure.signal.throwIfAborted();
      request.signal.throwIfAborted();
      hasEnded = error instanceof ClickHouseError;
      measured.failed(error);
      throw toQueryError(error, limits);
    } finally {
      clearTimeout(deadline);
      watch?.stop();
      measured.end();
      if (!hasEnded) void killQuery(request.queryId);
      release();
    }
  }

  /** A query without `reads` reads no results, such as EXPLAIN. Exports have slots of their own, one each. */
  async function slotsOfQuery(query: RunnableQuery, request: QueryRequest): Promise<number> {
    const { reads, series, query: steps } = query;
    if (reads === undefined || series === undefined || steps === undefined) return 1;
    if (isExport(request)) return 1;
    return weights.slotsOf(request.organisationId, { reads, series, query: steps });
  }

  async function* response(
    { sql, params, settings, format = 'JSONEachRow' }: RunnableQuery,
    request: QueryRequest,
    { signal, measured, watch, share }: RunningQuery,
  ): AsyncGenerator<Buffer> {
    signal.throwIfAborted();
    const statement = statementRequest(`${sql}\nFORMAT ${format}`, params);
    const { stream, response_headers, summary } = await queries.exec({
      ...statement,
      query_id: request.queryId,
      clickhouse_settings: {
        ...querySettings(limits),
        ...share,
        ...settings,
        ...organisationSettings(request.organisationId, request.route),
      },
      abort_signal: signal,
      http_headers: { ...measured.headers, ...statement.http_headers },
    });
    request.cost.rowsRead = Number(summary?.read_rows ?? 0);
    request.cost.bytesRead = Number(summary?.read_bytes ?? 0);
    measured.read(request.cost.rowsRead, request.cost.bytesRead);
    // The ClickHouse client ignores the signal after the response headers.
    const onAbort = () => stream.destroy(signal.reason as Error);
    signal.addEventListener('abort', onAbort);
    if (signal.aborted) onAbort();
    try {
      const chunks = watch.over(readResponse(stream as IncomingMessage));
      yield* exceptionGuard(chunks, tagOf(response_headers));
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  // KILL QUERY … TEST lists the query if it runs, without killing it.
  async function isRunning(queryId: string): Promise<boolean> {
    // The query may still wait for a connection, and on a cluster another server may answer.
    const isKnown = metrics.hasConnections(pool) && cluster === '';
    const listed = await background.query({
      query: 'KILL QUERY WHERE query_id = {id:String} TEST',
      query_params: { id: queryId },
      format: 'TabSeparated',
      abort_signal: AbortSignal.timeout(answerTimeoutMs),
    });
    return (await listed.text()) !== '' || !isKnown;
  }

  // Closing the connection does not stop the query on every server. KILL QUERY has no effect on a
  // query that has ended.
  async function killQuery(queryId: string): Promise<void> {
    try {
      await background.command({
        query: 'KILL QUERY WHERE query_id = {id:String} ASYNC',
        query_params: { id: queryId },
      });
    } catch (error) {
      logger.warn('could not kill an aborted query', { queryId, error: String(error) });
    }
  }
}

interface RunningQuery {
  readonly signal: AbortSignal;
  readonly measured: MeasuredQuery;
  readonly watch: SilenceWatch;
  /** Settings for its share of the cores. */
  readonly share: ClickHouseSettings;
}

function isExport({ kind }: QueryRequest): boolean {
  return kind === 'export';
}

/** ClickHouse enforces the query timeout itself. Ours is longer, for when ClickHouse hangs. */
function deadlineMs({ queryTimeoutMs }: QueryLimits): number {
  // A longer timer would fire at once.
  return Math.min(queryTimeoutMs + 5_000, 2 ** 31 - 1);
}

function connectionLost(): AppError {
  return new ClickHouseUnavailable(
    new Error('ClickHouse sends nothing and no longer runs the query'),
  );
}

/** The server must answer within this time; its connections may be lost too. */
const answerTimeoutMs = 5_000;

function tagOf(headers: Readonly<Record<string, unknown>>): string | undefined {
  const tag = headers['x-clickhouse-exception-tag'];
  return typeof tag === 'string' ? tag : undefined;
}
