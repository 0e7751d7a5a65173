import type { EngineResult } from '../engine.ts';

/** ClickHouse in this process or another. The first connection starts it, the last one ends it. */
export interface EngineLibrary {
  /** `26.7.3` */
  version(): string;
  connect(options: ConnectionOptions): Promise<EngineConnection>;
}

export interface ConnectionOptions {
  readonly dataDir: string;
  readonly configFile: string;
}

/** One session. It runs one statement at a time: wait for each call before the next. */
export interface EngineConnection {
  query(sql: string, format?: string): Promise<EngineResult>;
  /** Starts a SELECT whose result is fetched in chunks. */
  stream(sql: string, format: string): Promise<EngineStream>;
  /** Close its streams first. */
  close(): Promise<void>;
}

/** The result of a SELECT, chunk by chunk. */
export interface EngineStream {
  /** The next chunk; undefined after the last. */
  next(): Promise<EngineResult | undefined>;
  /** Cancels the query if it still runs, and frees its memory. Call once, after the last next(). */
  close(): Promise<void>;
}
