import type { RunningQuery } from '../running-query.ts';

/** A chunk of a formatted result, with its row and byte counts. */
export interface EngineResult {
  readonly data: Uint8Array<ArrayBuffer>;
  readonly resultRows: number;
  /** Rows read from tables. */
  readonly readRows: number;
  readonly readBytes: number;
  readonly writtenRows: number;
  readonly writtenBytes: number;
}

export interface EngineStatement {
  /** USE and SET statements, run first on the same connection. They set `query_cache_tag` to the id of the query. */
  readonly setup: readonly string[];
  readonly sql: string;
  readonly format: string;
}

/**
 * An INSERT without its data: `<head> FROM INFILE '<path>' <tail>`. Every engine reads the data from a
 * file, which may contain zero bytes; a statement may not.
 */
export interface InsertStatement {
  readonly setup: readonly string[];
  readonly head: string;
  readonly tail: string;
  readonly data: Uint8Array;
}

/** A ClickHouse engine behind the HTTP interface. */
export interface Engine {
  readonly version: string;

  /** Runs a statement and returns its complete result. */
  query(running: RunningQuery, statement: EngineStatement): Promise<EngineResult>;

  /**
   * Runs a SELECT and returns its result in chunks, each formatted as a complete result. The engine
   * computes at most one chunk ahead.
   */
  stream(running: RunningQuery, statement: EngineStatement): AsyncGenerator<EngineResult>;

  /** Runs an INSERT with its data. */
  insert(running: RunningQuery, statement: InsertStatement): Promise<EngineResult>;

  /** Cancels a query that is waiting, running or between two chunks. */
  cancel(running: RunningQuery): void;

  /** Closes the engine. The process must exit afterwards. */
  stop(): Promise<void>;
}

export interface EngineOptions {
  /** Data folder of the engine. */
  readonly dataDir: string;
  /** Called after a crash of the engine, when no response can be trusted. */
  readonly onCrash: (reason: string) => void;
}

/** The exports of an engine's module. */
export interface EngineModule {
  startEngine(options: EngineOptions): Promise<Engine>;
}
