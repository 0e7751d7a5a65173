import type { ClickHouseClient } from '@clickhouse/client';
import { LRUCache } from 'lru-cache';
import type { Counter } from '../../shared/metrics.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import { compileMetricQuery } from '../compiler/compile-metric-query.ts';
import type { QueryRequest } from '../execution/query-request.ts';
import type { QueryRunner } from '../execution/query-runner.ts';
import { type AnswerRow, isStrictlyOrdered, rowFormat } from './answer-row.ts';
import { contentKey } from './content-key.ts';
import {
  currentPieces,
  type KeyedPiece,
  plannedPieces,
  type Question,
  questionOf,
  rowsByPiece,
  type StorableAnswer,
  versionedPieces,
} from './keyed-pieces.ts';
import { type MetadataEffects, readMetadataEffects } from './metadata-effects.ts';
import { joinedTimes } from './plan-pieces.ts';
import type { StoredAnswers } from './stored-answers.ts';

/** How much of an answer was stored: all, some or nothing. */
export type CacheState = 'hit' | 'partial' | 'miss';

interface Parts {
  readonly versions: ClickHouseClient;
  readonly stored: StoredAnswers;
  readonly runner: QueryRunner;
  /** Counts answers by how much of them was stored. */
  readonly answers: Counter<'state'>;
  readonly logger: Logger;
  /** Answers that take less time are not worth storing. */
  readonly minMs: number;
}

/** A stream that is longer than what may be read into memory. */
interface LongStream {
  /** All of it. */
  readonly chunks: AsyncGenerator<Buffer>;
  /** Ends its source, if `chunks` will not be read. */
  readonly cancel: () => Promise<unknown>;
}

/** The rows of pieces by their key; or all rows as a stream, if they cannot be put together. */
type Computed =
  | { readonly kind: 'pieces'; readonly rows: ReadonlyMap<string, readonly AnswerRow[]> }
  | ({ readonly kind: 'stream' } & LongStream);

/** More results may make an answer slower. */
const shortForMs = 60_000;
/** A larger answer is neither stored nor put together from pieces. */
const maxAnswerBytes = 16 * 1024 * 1024;

/** Answers requests from stored pieces, and computes and stores the others. */
export class Answers {
  readonly #parts: Parts;
  /** The computations that run now, by what they compute. */
  readonly #running = new Map<string, Promise<Computed>>();
  /** Answers that took too little time to be stored. For a while they are not looked up either. */
  readonly #short = new LRUCache<string, true>({ max: 1_000, ttl: shortForMs });

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** The rows of an answer, as ClickHouse would send them. Calls `onState` before the first one. */
  async *rows(
    answer: StorableAnswer,
    request: QueryRequest,
    onState: (state: CacheState) => void,
  ): AsyncGenerator<Buffer> {
    const { runner, stored, versions, answers } = this.#parts;
    const question = questionOf(answer);
    const shortKey = shortAnswerKey(question, answer, request);
    if (this.#short.has(shortKey)) {
      answers.inc({ state: 'miss' });
      onState('miss');
      yield* runner.runQuery(answer.compiled, request, answer.versions.beforeQuery());
      return;
    }
    const format = rowFormat(answer.compiled);
    const planned = plannedPieces(question, answer);
    // What is stored has the versions of its results, so it may be read before the current ones.
    const keys = planned.map(({ key }) => key);
    const { organisationId, signal } = request;
    const [found, data] = await Promise.all([
      this.#ifRead([], stored.find(organisationId, keys, signal), request),
      answer.versions.current,
    ]);
    if (data === undefined) {
      yield* runner.runQuery(answer.compiled, request);
      return;
    }
    const pieces = versionedPieces(planned, data, answer.metadataVersion);
    // Most pieces are requested again before the metadata changes.
    const isUnchanged = found.every((one) => one.metadataVersion === answer.metadataVersion);
    const none: MetadataEffects = new Map();
    const effects = isUnchanged
      ? none
      : await this.#ifRead(none, readMetadataEffects(versions, organisationId, signal), request);
    const rows = new Map<string, readonly AnswerRow[]>();
    for (const { key, rowsText } of currentPieces(found, effects, pieces)) {
      rows.set(key, await format.read(rowsText));
    }
    const missing = pieces.filter(({ key }) => !rows.has(key));
    const state = stateOf(missing.length, pieces.length);
    answers.inc({ state });
    onState(state);
    if (missing.length > 0) {
      const startedMs = performance.now();
      const computed = await this.#computeOnce(answer, missing, request);
      if (computed.kind === 'stream') {
        if (state === 'partial') await computed.cancel();
        yield* state === 'miss' ? computed.chunks : runner.runQuery(answer.compiled, request);
        return;
      }
      if (state === 'miss' && performance.now() - startedMs < this.#parts.minMs) {
        this.#short.set(shortKey, true);
      }
      for (const [key, computedRows] of computed.rows) rows.set(key, computedRows);
    }
    yield* format.write([...rows.values()].flat().sort(format.compare));
  }

  /** If stored pieces cannot be read, the answer is computed, and that query reports a failure of ClickHouse. */
  async #ifRead<T>(otherwise: T, reading: Promise<T>, { signal }: QueryRequest): Promise<T> {
    try {
      return await reading;
    } catch (error) {
      signal.throwIfAborted();
      this.#parts.logger.warn('could not read stored answers', { error: String(error) });
      return otherwise;
    }
  }

  /** The first of several equal requests computes for all. If it fails, the next one does. */
  async #computeOnce(
    answer: StorableAnswer,
    pieces: readonly KeyedPiece[],
    request: QueryRequest,
  ): Promise<Computed> {
    const id = JSON.stringify(
      pieces.map(({ key, dataVersion, metadataVersion }) => [
        key,
        String(dataVersion),
        metadataVersion,
      ]),
    );
    for (;;) {
      const running = this.#running.get(id);
      if (running === undefined) break;
      const computed = await running.catch(() => undefined);
      request.signal.throwIfAborted();
      if (computed?.kind === 'pieces') return computed;
      // A stream can be read once, by the request that started it.
      if (computed !== undefined) {
        return asStream(this.#parts.runner.runQuery(answer.compiled, request));
      }
    }
    const own = this.#compute(answer, pieces, request);
    this.#running.set(id, own);
    try {
      return await own;
    } finally {
      this.#running.delete(id);
    }
  }

  async #compute(
    answer: StorableAnswer,
    pieces: readonly KeyedPiece[],
    request: QueryRequest,
  ): Promise<Computed> {
    const { runner, stored, minMs } = this.#parts;
    const { query, options, compiled } = answer;
    const startedMs = performance.now();
    const format = rowFormat(compiled);
    const times = joinedTimes(pieces);
    const read = await readUpTo(
      maxAnswerBytes,
      runner.runQuery(compileMetricQuery({ ...query, times }, options), request),
    );
    if (typeof read !== 'string') return { kind: 'stream', ...read };
    const rows = await format.read(read);
    // Two custom values such as 1 and 1.0 are different series with the same text: their order is unknown here.
    if (!isStrictlyOrdered(rows, format.compare)) {
      return asStream(oneChunk(read));
    }
    const byPiece = rowsByPiece(rows, pieces);
    if (performance.now() - startedMs >= minMs) {
      stored.store(
        request.organisationId,
        pieces.map(({ key, dataVersion, metadataVersion }) => ({
          key,
          dataVersion,
          metadataVersion,
          rowsText: format.text(byPiece.get(key) ?? []),
        })),
      );
    }
    return { kind: 'pieces', rows: byPiece };
  }
}

/** The same for requests of the same day with a relative range, such as `-7 days`. */
function shortAnswerKey(
  { sql, params, series }: Question,
  { compiled: { reads } }: StorableAnswer,
  { organisationId }: QueryRequest,
): string {
  return contentKey([organisationId, sql, params, series, reads.fromDay, reads.toDay]);
}

function stateOf(missing: number, all: number): CacheState {
  if (missing === 0) return 'hit';
  return missing === all ? 'miss' : 'partial';
}

function asStream(chunks: AsyncGenerator<Buffer>): Computed {
  return { kind: 'stream', chunks, cancel: () => chunks.return(undefined) };
}

// eslint-disable-next-line @typescript-eslint/require-await
async function* oneChunk(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

/** The text of a stream; or, if it is longer than `maxBytes`, a stream of all of it. */
async function readUpTo(
  maxBytes: number,
  source: AsyncGenerator<Buffer>,
): Promise<string | LongStream> {
  const read: Buffer[] = [];
  let bytes = 0;
  while (bytes <= maxBytes) {
    const next = await source.next();
    if (next.done === true) return Buffer.concat(read).toString();
    bytes += next.value.length;
    read.push(next.value);
  }
  return { chunks: withRest(read, source), cancel: () => source.return(undefined) };
}

async function* withRest(
  read: readonly Buffer[],
  rest: AsyncGenerator<Buffer>,
): AsyncGenerator<Buffer> {
  try {
    yield* read;
    yield* rest;
  } finally {
    // Ends the query if the stream is not read to its end.
    await rest.return(undefined);
  }
}
