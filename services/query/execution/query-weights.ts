import type { ClickHouseClient, ClickHouseSettings } from '@clickhouse/client';
import { LRUCache } from 'lru-cache';
import type { Logger } from '../../shared/logging/create-logger.ts';
import { readCache } from '../../shared/read-cache.ts';
import type { CompiledQuery, DayRange } from '../compiler/compiled-query.ts';
import { organisationRows } from './organisation-rows.ts';

/** What the weight of a query depends on. */
export type WeighedQuery = Pick<CompiledQuery, 'reads' | 'series' | 'query'>;

interface Parts {
  readonly clickhouse: ClickHouseClient;
  readonly limits: {
    readonly maxRunningQueries: number;
    readonly queryRowsPerSlot: number;
    readonly queryThreads: number;
  };
  readonly logger: Logger;
}

interface ResultsOfTest {
  /** Rows by UTC day, as `2026-01-31`. */
  readonly rowsByDay: ReadonlyMap<string, number>;
  /** Of a query on this server, without a limit of ours. */
  readonly threads: number;
}

interface ResultsKey {
  readonly organisationId: number;
  readonly test: string;
}

/** How many slots a query takes, by what it will read, and its share of the cores. */
export class QueryWeights {
  readonly #parts: Parts;
  readonly #results: LRUCache<string, ResultsOfTest, ResultsKey>;
  /** Organisations with a recent query. */
  readonly #active = new LRUCache<number, true>({ max: 10_000, ttl: activeMs });
  #threads = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    // Counts may be a minute old.
    const stale = { allowStale: true, allowStaleOnFetchRejection: true };
    this.#results = readCache({ max: 1_000, ttl: countsMs, ...stale }, (context) =>
      readResults(parts.clickhouse, context),
    );
  }

  /** From 1 to all slots of the organisation. A comparison takes two or more. */
  async slotsOf(organisationId: number, query: WeighedQuery): Promise<number> {
    const { limits, logger } = this.#parts;
    const { test, sides = [query.reads] } = query.reads;
    try {
      const { rowsByDay, threads } = await this.#results.forceFetch(`${organisationId} ${test}`, {
        context: { organisationId, test },
      });
      // An organisation without results reports none.
      this.#threads = threads || this.#threads;
      const rows = sides.reduce((sum, range) => sum + rowsIn(rowsByDay, range), 0);
      const slots = Math.ceil((rows * costPerRow(query)) / limits.queryRowsPerSlot);
      return Math.min(Math.max(sides.length, slots), limits.maxRunningQueries);
    } catch (error) {
      // The query will report that ClickHouse does not answer.
      logger.warn('could not weigh a query', { error: String(error) });
      return 1;
    }
  }

  /**
   * Settings for its share of the cores. A heavy query pauses while light ones run, but at most `pauseMs` per block of rows,
   * so that it ends. If other organisations are active, it uses only half of the threads.
   */
  shareOf(organisationId: number, isHeavy: boolean): ClickHouseSettings {
    this.#active.set(organisationId, true);
    if (!isHeavy) return { priority: '1' };
    const paused = { priority: '2', low_priority_query_wait_time_ms: pauseMs };
    const threads = this.#parts.limits.queryThreads || this.#threads;
    const isShared = [...this.#active.keys()].some((active) => active !== organisationId);
    if (threads === 0 || !isShared) return paused;
    return { ...paused, max_threads: Math.max(1, Math.floor(threads / 2)) };
  }
}

function rowsIn(rowsByDay: ResultsOfTest['rowsByDay'], { fromDay, toDay }: DayRange): number {
  return [...rowsByDay]
    .filter(([day]) => day >= fromDay && day <= toDay)
    .reduce((sum, [, count]) => sum + count, 0);
}

/** New results make a query heavier later. */
const countsMs = 60_000;
const activeMs = 30_000;
const pauseMs = 50;

/** Compared with a plain query: each split and each step of a report adds about a fifth. */
function costPerRow({ series, query }: WeighedQuery): number {
  const plainSteps = 2;
  return 1 + (series.keyColumns + Math.max(0, query.steps.length - plainSteps)) / 5;
}

const resultsQuery = `SELECT toString(day) AS day, sum(row_count) AS rows, any(getSetting('max_threads')) AS threads
FROM data_versions
WHERE organisation_id = {organisation:UInt32} AND test = {test:String}
GROUP BY day`;

async function readResults(
  clickhouse: ClickHouseClient,
  { organisationId, test }: ResultsKey,
): Promise<ResultsOfTest> {
  const rows = await organisationRows<{ day: string; rows: string; threads: string }>(
    clickhouse,
    organisationId,
    resultsQuery,
    { params: { test }, signal: AbortSignal.timeout(timeoutMs) },
  );
  return {
    rowsByDay: new Map(rows.map(({ day, rows: count }) => [day, Number(count)])),
    threads: Number(rows[0]?.threads ?? 0),
  };
}

const timeoutMs = 5_000;
