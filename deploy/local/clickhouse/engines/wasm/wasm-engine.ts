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
 * The same engine as WebAssembly, for machines the native library is not made for. Its tables are in
 * memory: a journal of every change in the data folder makes them again at the next start.
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

// The engine counts about 100 KB of every query as taken and never as given back, which no part of it
// corrects in WebAssembly: at its own limit (0.9 of the 2 GiB it believes there are) every query after
// some thousand failed. A query's own limit, max_memory_usage, does not suffer from that.
const serverConfig =
  '<clickhouse><max_server_memory_usage_to_ram_ratio>1000</max_server_memory_usage_to_ram_ratio></clickhouse>';

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
    // One chunk ahead: like a real server, the engine works while a chunk is being sent.
    const fetchAhead = () => {
      const step = this.#turns.take(running, fetchNext);
      // Reported where it is awaited, which may be never.
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
      if (connection !== undefined) await this.#turns.tidyUp(close);
    }
  }

  insert(
    running: RunningQuery,
    { setup, head, tail, data }: InsertStatement,
  ): Promise<EngineResult> {
    const sql = `${head} FROM INFILE '${insertFile}' ${tail}`;
    return this.#turns.take(running, (db) =>
      onConnection(db, running, setup, async (connection) => {
        // A copy, since the engine takes its buffer over. One name will do: only one insert is in the
        // engine at a time.
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
    // The tables are in memory and the journal is written already.
  }
}

const insertFile = '/tmp/insert-data';

// Before the first chunk the engine may say "No active streaming query" and nothing more, as it
// does for a SELECT nested too deeply. Asked for the whole result, it gives the reason.
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

// Settings and parameters belong to a connection: a new one for each request keeps them apart.
async function openConnection(
  db: AsyncChdb,
  running: RunningQuery,
  setup: readonly string[],
): Promise<AsyncChdbConnection> {
  const connection = await db.connect();
  try {
    for (const sql of setup) {
      await connection.query(sql);
      // Every new query lowers the cancel flag, so it alone would be missed between two of them.
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
