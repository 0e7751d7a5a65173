import { mkdir } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { AsyncChdb, AsyncChdbConnection, ChdbResult } from 'chdb-wasm';
import { repositoryRoot } from '../../../../../services/shared/repository-root.ts';
import type { RunningQuery } from '../../running-query.ts';
import type {
  Engine,
  EngineOptions,
  EngineResult,
  EngineStatement,
  InsertStatement,
} from '../engine.ts';
import { Journal } from './journal.ts';
import { JournaledEngine } from './journaled-engine.ts';
import { Turns } from './turns.ts';

/**
 * ClickHouse as WebAssembly, for machines that the native library does not support. Its tables are in
 * memory. A journal of every change in the data folder restores them at the next start.
 */
export async function startEngine({ dataDir, onCrash }: EngineOptions): Promise<Engine> {
  const entry = createRequire(join(enginePackage, 'package.json')).resolve('chdb-wasm');
  const { AsyncChdb } = (await import(pathToFileURL(entry).href)) as typeof import('chdb-wasm');
  const db = await AsyncChdb.create({ moduleUrl: new URL('chdb.mjs', pathToFileURL(entry)).href });
  await db.putFile('/config.xml', new TextEncoder().encode(serverConfig));
  const version = (await db.query('SELECT version()', 'TSVRaw')).text().trim();
  const engine = new WasmEngine(new Turns(db, onCrash), version);
  await mkdir(dataDir, { recursive: true });
  return JournaledEngine.replay(engine, new Journal(join(dataDir, 'journal')));
}

const enginePackage = join(repositoryRoot, 'deploy/local/clickhouse/engines/wasm');

// In WebAssembly the memory tracker of the server leaks about 100 KB per query: at its default limit
// (0.9 of an assumed 2 GiB) every query failed after some thousand. The limit per query,
// max_memory_usage, is not affected. Its file system has no hard links, by which a mutation such as ALTER TABLE …
// DELETE takes over the files that it does not change.
const serverConfig = `<clickhouse>
  <max_server_memory_usage_to_ram_ratio>1000</max_server_memory_usage_to_ram_ratio>
  <merge_tree>
    <always_use_copy_instead_of_hardlinks>1</always_use_copy_instead_of_hardlinks>
  </merge_tree>
</clickhouse>`;

class WasmEngine implements Engine {
  readonly version: string;
  readonly #turns: Turns;

  constructor(turns: Turns, version: string) {
    this.version = version;
    this.#turns = turns;
  }

  query(running: RunningQuery, { setup, sql, format }: EngineStatement): Promise<EngineResult> {
    return this.#turns.take(running, (db) =>
      onConnection(db, running, setup, (connection) =>
        connection.query(sql, format).then(asOutput),
      ),
    );
  }

  async *stream(running: RunningQuery, statement: EngineStatement): AsyncGenerator<EngineResult> {
    let connection: AsyncChdbConnection | undefined;
    let chunks: AsyncGenerator<ChdbResult, void, void> | undefined;
    const close = async () => {
      const open = connection;
      connection = undefined;
      await open?.close();
    };
    const fetchNext = async (db: AsyncChdb) => {
      try {
        connection ??= await openConnection(db, running, statement.setup);
        chunks ??= chunksOf(connection, running, statement);
        const step = await chunks.next();
        if (step.done === true) await close();
        return step;
      } catch (error) {
        await close();
        throw error;
      }
    };
    // One chunk ahead: like a real server, the engine computes while a chunk is sent.
    const fetchAhead = () => {
      const step = this.#turns.take(running, fetchNext);
      // If nothing awaits it, it must not be an unhandled rejection.
      step.catch(() => undefined);
      return step;
    };
    try {
      let ahead = fetchAhead();
      for (;;) {
        const step = await ahead;
        if (step.done === true) return;
        ahead = fetchAhead();
        yield asOutput(step.value);
      }
    } finally {
      if (connection !== undefined) await this.#turns.cleanUp(close);
    }
  }

  insert(
    running: RunningQuery,
    { setup, head, tail, data }: InsertStatement,
  ): Promise<EngineResult> {
    const sql = `${head} FROM INFILE '${insertFile}' ${tail}`;
    return this.#turns.take(running, (db) =>
      onConnection(db, running, setup, async (connection) => {
        // A copy, because putFile transfers the buffer. One file name is enough: only one insert is in
        // the engine at a time.
        await db.putFile(insertFile, new Uint8Array(data));
        try {
          running.throwIfCancelled();
          return asInsert(await connection.query(sql));
        } finally {
          await db.putFile(insertFile, new Uint8Array(0));
        }
      }),
    );
  }

  cancel(running: RunningQuery): void {
    this.#turns.cancel(running);
  }

  async stop(): Promise<void> {
    // Nothing to do: the tables are in memory and the journal is written.
  }
}

const insertFile = '/tmp/insert-data';

// Before the first chunk the engine may fail with only "No active streaming query", for example for a
// SELECT nested too deeply. A query for the whole result returns the reason.
async function* chunksOf(
  connection: AsyncChdbConnection,
  running: RunningQuery,
  { sql, format }: EngineStatement,
): AsyncGenerator<ChdbResult, void, void> {
  let hasStarted = false;
  try {
    for await (const chunk of connection.queryStream(sql, format)) {
      hasStarted = true;
      yield chunk;
    }
  } catch (error) {
    if (hasStarted || !String(error).includes('No active streaming query')) throw error;
    running.throwIfCancelled();
    yield await connection.query(sql, format);
  }
}

async function onConnection<T>(
  db: AsyncChdb,
  running: RunningQuery,
  setup: readonly string[],
  work: (connection: AsyncChdbConnection) => Promise<T>,
): Promise<T> {
  const connection = await openConnection(db, running, setup);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

// Settings and parameters belong to a connection, so each request gets a new one.
async function openConnection(
  db: AsyncChdb,
  running: RunningQuery,
  setup: readonly string[],
): Promise<AsyncChdbConnection> {
  const connection = await db.connect();
  try {
    for (const sql of setup) {
      await connection.query(sql);
      // Every new query clears the cancel flag, so a cancellation between two queries would be lost.
      running.throwIfCancelled();
    }
    return connection;
  } catch (error) {
    await connection.close();
    throw error;
  }
}

function asOutput(result: ChdbResult): EngineResult {
  return {
    data: result.data,
    readRows: result.scannedRows,
    readBytes: result.scannedBytes,
    resultRows: result.rowsRead,
    writtenRows: 0,
    writtenBytes: 0,
  };
}

function asInsert(result: ChdbResult): EngineResult {
  return {
    data: result.data,
    readRows: result.rowsRead,
    readBytes: result.bytesRead,
    resultRows: 0,
    writtenRows: result.rowsRead,
    writtenBytes: result.bytesRead,
  };
}
