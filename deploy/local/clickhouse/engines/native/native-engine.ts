import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RunningQuery } from '../../running-query.ts';
import { queryWasCancelled } from '../../server-exception.ts';
import { quoted } from '../../sql-tokens.ts';
import type {
  Engine,
  EngineOptions,
  EngineResult,
  EngineStatement,
  InsertStatement,
} from '../engine.ts';
import { ChdbLibrary } from './chdb-library.ts';
import { claimDataFolder } from './data-version.ts';
import { enginePackage } from './engine-package.ts';
import type { EngineConnection, EngineLibrary } from './library.ts';
import { writeServerConfig } from './server-config.ts';

/** ClickHouse's native engine, with its data on disk. Queries run in parallel. */
export function startEngine(options: EngineOptions): Promise<Engine> {
  const chdb = ChdbLibrary.open(enginePackage);
  chdb.disableSignalHandlers();
  return startNativeEngine(chdb, options);
}

/** `extraConfig` is XML inside `<clickhouse>` of the engine's configuration file. */
export async function startNativeEngine(
  library: EngineLibrary,
  { dataDir }: EngineOptions,
  extraConfig = '',
): Promise<Engine> {
  await mkdir(join(dataDir, inputFolder), { recursive: true });
  await claimDataFolder(dataDir, library.version());
  const options = { dataDir, configFile: await writeServerConfig(dataDir, extraConfig) };
  const connect = () => library.connect(options);
  const control = await connect();
  const { data } = await control.query('SELECT version()', 'TSVRaw');
  const version = Buffer.from(data).toString().trim();
  return new NativeEngine({ connect, control, version, dataDir });
}

/** Maximum number of concurrent calls into the engine; libuv's thread pool must be larger. */
export const maxCallsInEngine = 48;

// In the data folder, so that both are on one disk. The engine ignores unknown folders.
const inputFolder = 'insert-data';

interface Parts {
  readonly connect: () => Promise<EngineConnection>;
  /** Stays open, because the engine ends with its last connection. Kills queries. */
  readonly control: EngineConnection;
  readonly version: string;
  readonly dataDir: string;
}

class NativeEngine implements Engine {
  readonly version: string;
  readonly #connect: () => Promise<EngineConnection>;
  readonly #control: EngineConnection;
  readonly #inputFolder: string;
  readonly #waiting: (() => void)[] = [];
  readonly #inEngine = new Map<RunningQuery, number>();
  readonly #queriesToKill = new Set<RunningQuery>();
  #callsInEngine = 0;
  #inputs = 0;
  #killing: Promise<void> | undefined;

  constructor({ connect, control, version, dataDir }: Parts) {
    this.version = version;
    this.#connect = connect;
    this.#control = control;
    this.#inputFolder = join(dataDir, inputFolder);
  }

  async query(running: RunningQuery, statement: EngineStatement): Promise<EngineResult> {
    const { setup, sql, format } = statement;
    const connection = await this.#openFor(running, setup);
    try {
      return await this.#inside(running, () => connection.query(sql, format));
    } finally {
      await connection.close();
    }
  }

  async *stream(running: RunningQuery, statement: EngineStatement): AsyncGenerator<EngineResult> {
    const { setup, sql, format } = statement;
    const connection = await this.#openFor(running, setup);
    try {
      const stream = await this.#inside(running, () => connection.stream(sql, format));
      // One chunk ahead: like a real server, the engine computes while a chunk is sent.
      const fetch = () => {
        const chunk = this.#inside(running, () => stream.next());
        // If nothing awaits it, it must not be an unhandled rejection.
        chunk.catch(() => undefined);
        return chunk;
      };
      let ahead = fetch();
      try {
        for (;;) {
          const chunk = await ahead;
          if (chunk === undefined) return;
          ahead = fetch();
          yield chunk;
        }
      } finally {
        // A reader that stopped early leaves a call in the engine.
        this.#kill(running);
        await ahead.catch(() => undefined);
        await stream.close();
      }
    } finally {
      await connection.close();
    }
  }

  async insert(running: RunningQuery, insert: InsertStatement): Promise<EngineResult> {
    const { setup, head, tail, data } = insert;
    const path = join(this.#inputFolder, String(this.#inputs++));
    try {
      await writeFile(path, data);
      const sql = `${head} FROM INFILE ${quoted(path)} ${tail}`;
      return await this.query(running, { setup, sql, format: 'Null' });
    } finally {
      await rm(path, { force: true });
    }
  }

  cancel(running: RunningQuery): void {
    if (running.signal.aborted) return;
    running.markCancelled();
    this.#kill(running);
  }

  async stop(): Promise<void> {
    for (const running of this.#inEngine.keys()) this.cancel(running);
    while (this.#callsInEngine > 0) await sleep(10);
    await this.#killing;
    await this.#control.close();
  }

  // Settings and parameters belong to a connection, so each request gets a new one.
  async #openFor(running: RunningQuery, setup: readonly string[]): Promise<EngineConnection> {
    const connection = await this.#inside(running, this.#connect);
    try {
      for (const sql of setup) {
        await this.#inside(running, () => connection.query(sql));
      }
      return connection;
    } catch (error) {
      await connection.close();
      throw error;
    }
  }

  /** Calls the engine when fewer than `maxCallsInEngine` calls run. */
  async #inside<T>(running: RunningQuery, call: () => Promise<T>): Promise<T> {
    while (this.#callsInEngine >= maxCallsInEngine) {
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
    }
    running.throwIfCancelled();
    this.#callsInEngine++;
    this.#inEngine.set(running, (this.#inEngine.get(running) ?? 0) + 1);
    try {
      return await call();
    } catch (error) {
      // A cancelled query may fail with another error.
      throw running.signal.aborted ? queryWasCancelled() : error;
    } finally {
      this.#callsInEngine--;
      this.#leave(running);
      this.#waiting.shift()?.();
    }
  }

  #leave(running: RunningQuery): void {
    const left = (this.#inEngine.get(running) ?? 1) - 1;
    if (left > 0) this.#inEngine.set(running, left);
    else this.#inEngine.delete(running);
  }

  // The engine assigns its own query ids, so queries are found by query_cache_tag of their setup, a setting
  // without effect while the query cache is off. Repeated until the call returns: a query that has just started
  // is not in system.processes yet.
  #kill(running: RunningQuery): void {
    if (!this.#inEngine.has(running)) return;
    this.#queriesToKill.add(running);
    this.#killing ??= this.#killQueries().finally(() => (this.#killing = undefined));
  }

  async #killQueries(): Promise<void> {
    for (let pauseMs = 5; ; pauseMs = Math.min(pauseMs * 2, 100)) {
      for (const running of this.#queriesToKill) {
        if (!this.#inEngine.has(running)) this.#queriesToKill.delete(running);
      }
      if (this.#queriesToKill.size === 0) return;
      const tags = [...this.#queriesToKill].map(({ id }) => quoted(id)).join(', ');
      await this.#control.query(
        `KILL QUERY WHERE Settings['query_cache_tag'] IN (${tags}) ASYNC`,
        'Null',
      );
      await sleep(pauseMs);
    }
  }
}
