import type { RunningQuery } from '../running-query.ts';

/** A piece of a result as the engine formatted it, with the counts that belong to it. */
export interface EngineResult {
  readonly data: Uint8Array<ArrayBuffer>;
  readonly resultRows: number;
  /** Read from tables. */
  readonly readRows: number;
  readonly readBytes: number;
  readonly writtenRows: number;
  readonly writtenBytes: number;
}

export interface EngineStatement {
  /** USE and SET statements, run first on the same connection. */
  readonly setup: readonly string[];
  readonly sql: string;
  readonly format: string;
}

/**
 * An INSERT around the place where its data are named: `<head> FROM INFILE '<path>' <tail>`. A file
 * serves every engine, and passes on zero bytes, which a statement cannot hold.
 */
export interface InsertStatement {
  readonly setup: readonly string[];
  readonly head: string;
  readonly tail: string;
  readonly data: Uint8Array;
}

/** ClickHouse itself, behind the HTTP interface. */
export interface Engine {
  readonly version: string;

  /** Runs a statement and returns its result in one piece. */
  query(running: RunningQuery, statement: EngineStatement): Promise<EngineResult>;

  /**
   * Runs a SELECT and returns its result in chunks, each formatted as a result of its own. The engine
   * works on the next chunk while one is being sent, and no further ahead.
   */
  stream(running: RunningQuery, statement: EngineStatement): AsyncGenerator<EngineResult>;

  /** Runs an INSERT whose data come with it. */
  insert(running: RunningQuery, statement: InsertStatement): Promise<EngineResult>;

  /** Ends a query wherever it is: waiting, running, or between two chunks. */
  cancel(running: RunningQuery): void;

  /** Closes the engine; after it, only the end of the process may follow. */
  stop(): Promise<void>;
}

export interface EngineOptions {
  /** Folder that holds the engine's data. */
  readonly dataDir: string;
  /** Reports a crash inside the engine, after which no answer can be trusted. */
  readonly onCrash: (reason: string) => void;
}

/** What the module of an engine exports. */
export interface EngineModule {
  startEngine(options: EngineOptions): Promise<Engine>;
}
