import type { EngineResult } from '../engine.ts';

/** ClickHouse in this process or beside it, by connections. The first one starts it, the last one ends it. */
export interface EngineLibrary {
  /** Such as 26.7.3. */
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
  /** After its streams. */
  close(): Promise<void>;
}

/** The result of a SELECT, chunk by chunk. */
export interface EngineStream {
  /** The next chunk; undefined after the last. */
  next(): Promise<EngineResult | undefined>;
  /** Ends the query where it has not ended, and frees its memory. Once, and after the last next(). */
  close(): Promise<void>;
}
