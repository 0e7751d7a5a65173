import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import type * as Ffi from 'ffi-rs';
import type { FieldType, JsExternal } from 'ffi-rs';
import type { EngineResult } from '../engine.ts';
import type {
  ConnectionOptions,
  EngineConnection,
  EngineLibrary,
  EngineStream,
} from './library.ts';
import { nativeLibraryPackage } from './native-library-package.ts';

/**
 * ClickHouse as a library: the functions of its C interface (chdb.h) that the server uses. A wrong type
 * here crashes the process, so only this file calls the library.
 *
 * Why ffi-rs: koffi uses its own stack, which ClickHouse mistakes for a stack overflow (code 306), and
 * the library's Node addon blocks the JavaScript thread in streams. ffi-rs runs a call in libuv's thread
 * pool, and a pointer created on one thread may be used on another.
 */
export class ChdbLibrary implements EngineLibrary {
  readonly #ffi: typeof Ffi;
  // Arguments of running calls, to protect them from garbage collection while libuv's thread reads them.
  readonly #inUse = new Set<readonly unknown[]>();

  private constructor(ffi: typeof Ffi) {
    this.#ffi = ffi;
  }

  /** Opens the library in the node_modules of a folder. */
  static open(packageFolder: string): ChdbLibrary {
    const require = createRequire(join(packageFolder, 'package.json'));
    const ffi = require('ffi-rs') as typeof Ffi;
    const folder = dirname(require.resolve(`${nativeLibraryPackage()}/package.json`));
    // Of this name on macOS too.
    ffi.open({ library, path: join(folder, 'libchdb.so') });
    return new ChdbLibrary(ffi);
  }

  version(): string {
    return this.#call('chdb_version', this.#ffi.DataType.String, [], []) as string;
  }

  /** Leaves SIGTERM and SIGINT to Node. Call it before the first connection. */
  disableSignalHandlers(): void {
    const { I32, Void } = this.#ffi.DataType;
    this.#call('chdb_set_signal_handlers_enabled', Void, [I32], [0]);
  }

  async connect({ dataDir, configFile }: ConnectionOptions): Promise<ChdbConnection> {
    const args = ['clickhouse', `--path=${dataDir}`, `--config-file=${configFile}`];
    const { External, I32, StringArray } = this.#ffi.DataType;
    const types = [I32, StringArray];
    const handle = await this.#callInThread('chdb_connect', External, types, [args.length, args]);
    if (this.#ffi.isNullPointer(handle)) {
      // The engine writes the reason to standard error.
      throw new Error('the engine did not start');
    }
    const [connection] = this.#ffi.restorePointer({ retType: [External], paramsValue: [handle] });
    if (connection === undefined) throw new Error('the engine returned no connection');
    return new ChdbConnection(this, handle, connection);
  }

  /** For ChdbConnection. */
  async closeConnection(handle: JsExternal): Promise<void> {
    const { External, Void } = this.#ffi.DataType;
    await this.#callInThread('chdb_close_conn', Void, [External], [handle]);
  }

  /** For ChdbConnection: `chdb_query_n` and `chdb_stream_query_n` have the same signature. */
  start(name: string, connection: JsExternal, sql: string, format: string): Promise<JsExternal> {
    const { External, U8Array, U64 } = this.#ffi.DataType;
    const [text, formatName] = [Buffer.from(sql), Buffer.from(format)];
    return this.#callInThread(
      name,
      External,
      [External, U8Array, U64, U8Array, U64],
      [connection, text, text.length, formatName, formatName.length],
    );
  }

  /** For ChdbStream. */
  fetch(connection: JsExternal, stream: JsExternal): Promise<JsExternal> {
    const { External } = this.#ffi.DataType;
    const name = 'chdb_stream_fetch_result';
    return this.#callInThread(name, External, [External, External], [connection, stream]);
  }

  /** For ChdbStream. */
  async cancelStream(connection: JsExternal, stream: JsExternal): Promise<void> {
    const { External, Void } = this.#ffi.DataType;
    const name = 'chdb_stream_cancel_query';
    await this.#callInThread(name, Void, [External, External], [connection, stream]);
  }

  /** The error message of a result. */
  errorOf(result: JsExternal): string | undefined {
    const { External, String: Text } = this.#ffi.DataType;
    const pointer = this.#call('chdb_result_error', External, [External], [result]) as JsExternal;
    if (this.#ffi.isNullPointer(pointer)) return undefined;
    return this.#call('chdb_result_error', Text, [External], [result]) as string;
  }

  /** Copies a result out of the engine's memory. */
  read(result: JsExternal): EngineResult {
    const { U64, External } = this.#ffi.DataType;
    const count = (name: string) => this.#call(name, U64, [External], [result]) as number;
    return {
      data: this.#bytesOf(result, count('chdb_result_length')),
      resultRows: count('chdb_result_rows_read'),
      readRows: count('chdb_result_storage_rows_read'),
      readBytes: count('chdb_result_storage_bytes_read'),
      writtenRows: count('chdb_result_rows_written'),
      writtenBytes: count('chdb_result_bytes_written'),
    };
  }

  free(result: JsExternal): void {
    const { External, Void } = this.#ffi.DataType;
    this.#call('chdb_destroy_query_result', Void, [External], [result]);
  }

  #bytesOf(result: JsExternal, length: number): Uint8Array<ArrayBuffer> {
    if (length === 0) return new Uint8Array(0);
    const { External, U8Array } = this.#ffi.DataType;
    const bytes = this.#ffi.arrayConstructor({ type: U8Array, length });
    return this.#call('chdb_result_buffer', bytes, [External], [result]) as Buffer<ArrayBuffer>;
  }

  #call(
    funcName: string,
    retType: FieldType,
    paramsType: readonly FieldType[],
    paramsValue: readonly unknown[],
  ): unknown {
    return this.#ffi.load({ library, funcName, retType, paramsType, paramsValue });
  }

  /** Runs in libuv's thread pool: for calls that block. */
  async #callInThread(
    funcName: string,
    retType: FieldType,
    paramsType: readonly FieldType[],
    paramsValue: readonly unknown[],
  ): Promise<JsExternal> {
    const call = { library, funcName, retType, paramsType, paramsValue, runInNewThread: true };
    this.#inUse.add(paramsValue);
    try {
      return (await this.#ffi.load(call)) as JsExternal;
    } finally {
      this.#inUse.delete(paramsValue);
    }
  }
}

const library = 'chdb';

class ChdbConnection implements EngineConnection {
  readonly #chdb: ChdbLibrary;
  readonly #handle: JsExternal;
  readonly #connection: JsExternal;

  constructor(chdb: ChdbLibrary, handle: JsExternal, connection: JsExternal) {
    this.#chdb = chdb;
    this.#handle = handle;
    this.#connection = connection;
  }

  async query(sql: string, format = 'TabSeparated'): Promise<EngineResult> {
    const result = await this.#chdb.start('chdb_query_n', this.#connection, sql, format);
    return readAndFree(this.#chdb, result);
  }

  async stream(sql: string, format: string): Promise<ChdbStream> {
    const stream = await this.#chdb.start('chdb_stream_query_n', this.#connection, sql, format);
    const error = this.#chdb.errorOf(stream);
    if (error === undefined) return new ChdbStream(this.#chdb, this.#connection, stream);
    this.#chdb.free(stream);
    throw new Error(error);
  }

  close(): Promise<void> {
    return this.#chdb.closeConnection(this.#handle);
  }
}

class ChdbStream implements EngineStream {
  readonly #chdb: ChdbLibrary;
  readonly #connection: JsExternal;
  readonly #stream: JsExternal;
  #isDone = false;

  constructor(chdb: ChdbLibrary, connection: JsExternal, stream: JsExternal) {
    this.#chdb = chdb;
    this.#connection = connection;
    this.#stream = stream;
  }

  async next(): Promise<EngineResult | undefined> {
    try {
      const chunk = readAndFree(this.#chdb, await this.#chdb.fetch(this.#connection, this.#stream));
      if (chunk.data.length > 0) return chunk;
    } catch (error) {
      this.#isDone = true;
      throw error;
    }
    this.#isDone = true;
    return undefined;
  }

  async close(): Promise<void> {
    if (!this.#isDone) await this.#chdb.cancelStream(this.#connection, this.#stream);
    this.#chdb.free(this.#stream);
  }
}

function readAndFree(chdb: ChdbLibrary, result: JsExternal): EngineResult {
  try {
    const error = chdb.errorOf(result);
    if (error !== undefined) throw new Error(error);
    return chdb.read(result);
  } finally {
    chdb.free(result);
  }
}
