import type { AsyncChdb, AsyncChdbConnection, ChdbResult } from 'chdb-wasm';
import type { Engine } from './engine.ts';
import { headerStripper, streamingOf } from './output-format.ts';
import { connectionSetup } from './query-request.ts';
import type { QueryRequest } from './query-request.ts';
import type { RunningQuery } from './running-query.ts';
import type { InsertWithData, OrdinaryStatement } from './statement.ts';

/** A piece of a result, with the counts that belong to it. */
export interface ResultChunk {
  readonly data: Uint8Array<ArrayBuffer>;
  readonly readRows: number;
  readonly readBytes: number;
  readonly resultRows: number;
  readonly writtenRows: number;
  readonly writtenBytes: number;
}

/** Runs a statement; no more than one chunk is fetched before it is asked for. */
export async function* statementResult(
  engine: Engine,
  running: RunningQuery,
  request: QueryRequest,
  statement: OrdinaryStatement,
): AsyncGenerator<ResultChunk> {
  const format = statement.format ?? request.defaultFormat;
  const streaming = streamingOf(format);
  if (!statement.streams || streaming === 'document') {
    yield await engine.turn(running, (db) =>
      onConnection(db, running, request, (connection) =>
        connection.query(statement.sql, format).then(asOutput),
      ),
    );
    return;
  }
  const withoutHeader = headerStripper(streaming);
  for await (const chunk of streamed(engine, running, request, statement.sql, format)) {
    yield { ...asOutput(chunk), data: withoutHeader(chunk.data) };
  }
}

/** Runs an INSERT whose data came with it. */
export async function* insertResult(
  engine: Engine,
  running: RunningQuery,
  request: QueryRequest,
  statement: InsertWithData,
  data: Uint8Array<ArrayBuffer>,
): AsyncGenerator<ResultChunk> {
  // Statements pass as C strings, so data with zero bytes go through a file. One name will do:
  // nobody else is in the engine during this turn.
  const sql = `${statement.head} FROM INFILE '${insertFile}' ${statement.tail}`;
  yield await engine.turn(running, (db) =>
    onConnection(db, running, request, async (connection) => {
      await db.putFile(insertFile, data);
      try {
        running.throwIfCancelled();
        return asInsert(await connection.query(sql));
      } finally {
        await db.putFile(insertFile, new Uint8Array(0));
      }
    }),
  );
}

const insertFile = '/tmp/insert-data';

async function* streamed(
  engine: Engine,
  running: RunningQuery,
  request: QueryRequest,
  sql: string,
  format: string,
): AsyncGenerator<ChdbResult> {
  let connection: AsyncChdbConnection | undefined;
  let chunks: AsyncGenerator<ChdbResult, void, void> | undefined;
  const close = async () => {
    const open = connection;
    connection = undefined;
    await open?.close();
  };
  const fetchNext = async (db: AsyncChdb) => {
    try {
      connection ??= await openConnection(db, running, request);
      chunks ??= chunksOf(connection, running, sql, format);
      const step = await chunks.next();
      if (step.done === true) await close();
      return step;
    } catch (error) {
      await close();
      throw error;
    }
  };
  // One ahead: like a real server, the engine works while a chunk is on its way to the reader.
  const fetchAhead = () => {
    const step = engine.turn(running, fetchNext);
    // Reported when it is waited for, which may be never.
    step.catch(() => undefined);
    return step;
  };
  try {
    let ahead = fetchAhead();
    for (;;) {
      const step = await ahead;
      if (step.done === true) return;
      ahead = fetchAhead();
      yield step.value;
    }
  } finally {
    if (connection !== undefined) await engine.tidyUp(close);
  }
}

// Before the first chunk the engine may say "No active streaming query" and nothing more, as it
// does for a SELECT nested too deeply. Asked for the whole result, it gives the reason.
async function* chunksOf(
  connection: AsyncChdbConnection,
  running: RunningQuery,
  sql: string,
  format: string,
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
  request: QueryRequest,
  work: (connection: AsyncChdbConnection) => Promise<T>,
): Promise<T> {
  const connection = await openConnection(db, running, request);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}

// Settings and parameters belong to a connection: a fresh one for each request keeps them apart.
async function openConnection(
  db: AsyncChdb,
  running: RunningQuery,
  request: QueryRequest,
): Promise<AsyncChdbConnection> {
  const connection = await db.connect();
  try {
    for (const sql of connectionSetup(request)) {
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

function asOutput(result: ChdbResult): ResultChunk {
  return {
    data: result.data,
    readRows: result.scannedRows,
    readBytes: result.scannedBytes,
    resultRows: result.rowsRead,
    writtenRows: 0,
    writtenBytes: 0,
  };
}

function asInsert(result: ChdbResult): ResultChunk {
  return {
    data: result.data,
    readRows: result.rowsRead,
    readBytes: result.bytesRead,
    resultRows: 0,
    writtenRows: result.rowsRead,
    writtenBytes: result.bytesRead,
  };
}
