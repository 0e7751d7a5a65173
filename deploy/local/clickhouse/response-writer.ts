import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import type { Transform, Writable } from 'node:stream';
import { createGzip } from 'node:zlib';
import { clickHouseBlocks } from './compression/clickhouse-blocks.ts';
import { lz4Frame } from './compression/lz4-frames.ts';
import type { EngineResult } from './engines/engine.ts';
import { contentType } from './output-format.ts';
import type { QueryRequest } from './query-request.ts';
import type { RunningQuery } from './running-query.ts';
import { httpStatus } from './server-exception.ts';
import type { ServerException } from './server-exception.ts';

// Like a real server's output buffer: an error in the first megabyte still gets its status.
const holdBackBytes = 1024 ** 2;

/** Sends one response: a result in chunks, or an exception before or in the middle of it. */
export class ResponseWriter {
  readonly #res: ServerResponse;
  readonly #startedNs = process.hrtime.bigint();
  // Random, so that data cannot be mistaken for an exception. ClickHouse has none before 25.11.
  readonly #exceptionTag: string | undefined;
  #out: Writable | undefined;
  /** The last compression step, if any. */
  #last: Transform | undefined;

  readonly #engineVersion: string;

  constructor(res: ServerResponse, engineVersion: string) {
    this.#res = res;
    this.#engineVersion = engineVersion;
    res.setHeader('X-ClickHouse-Server-Display-Name', 'local');
    res.setHeader('X-ClickHouse-Timezone', 'UTC');
    const [major = 0, minor = 0] = engineVersion.split('.').map(Number);
    if (major < 25 || (major === 25 && minor < 11)) return;
    this.#exceptionTag = randomBytes(8).toString('hex');
    res.setHeader('X-ClickHouse-Exception-Tag', this.#exceptionTag);
  }

  setQueryId(queryId: string): void {
    this.#res.setHeader('X-ClickHouse-Query-Id', queryId);
  }

  async sendResult(
    chunks: AsyncIterable<EngineResult>,
    running: RunningQuery,
    request: QueryRequest,
    formatClause: string | undefined,
  ): Promise<void> {
    const format = formatClause ?? request.defaultFormat;
    this.#res.setHeader('X-ClickHouse-Format', format);
    this.#res.setHeader('Content-Type', contentType(format));
    const held: EngineResult[] = [];
    let heldBytes = 0;
    for await (const chunk of chunks) {
      if (this.#out !== undefined) {
        await this.#write(chunk.data, running);
        continue;
      }
      held.push(chunk);
      heldBytes += chunk.data.length;
      if (heldBytes < holdBackBytes || request.waitEndOfQuery) continue;
      await this.#begin(held.splice(0), running, request);
    }
    if (this.#out === undefined) await this.#begin(held, running, request);
    this.#out?.end();
  }

  sendException(exception: ServerException): void {
    if (this.#res.destroyed) return;
    const report = exception.report(this.#engineVersion);
    if (this.#out !== undefined) {
      this.#abort(this.#out, report);
      return;
    }
    this.#res.removeHeader('X-ClickHouse-Format');
    this.#res.setHeader('X-ClickHouse-Exception-Code', exception.code);
    this.#res.setHeader('X-ClickHouse-Summary', summary([], this.#startedNs));
    this.#res.setHeader('Content-Type', 'text/plain; charset=UTF-8');
    // The rest of a rejected body must be read, or the client never reads the response.
    this.#res.req.unpipe().resume();
    this.#res.writeHead(httpStatus(exception.code)).end(`${report}\n`);
  }

  async #begin(
    held: readonly EngineResult[],
    running: RunningQuery,
    { responseEncoding, blockResponse }: QueryRequest,
  ): Promise<void> {
    this.#res.setHeader('X-ClickHouse-Summary', summary(held, this.#startedNs));
    if (responseEncoding !== undefined) {
      this.#res.setHeader('Content-Encoding', responseEncoding);
    }
    this.#res.writeHead(200);
    const steps = [
      ...(blockResponse ? [clickHouseBlocks()] : []),
      ...(responseEncoding === 'gzip' ? [createGzip()] : []),
      ...(responseEncoding === 'lz4' ? [lz4Frame()] : []),
    ];
    steps.forEach((step, i) => step.pipe(steps[i + 1] ?? this.#res));
    this.#last = steps.at(-1);
    this.#out = steps[0] ?? this.#res;
    for (const chunk of held) await this.#write(chunk.data, running);
  }

  // Waits for `drain`, so that a slow client does not fill the memory.
  async #write(data: Uint8Array, running: RunningQuery): Promise<void> {
    running.throwIfCancelled();
    if (data.length === 0 || this.#out === undefined || this.#out.write(data)) return;
    try {
      await once(this.#out, 'drain', { signal: running.signal });
    } catch (error) {
      running.throwIfCancelled();
      throw error;
    }
  }

  // No closing chunk, so the HTTP protocol shows no complete response.
  #abort(out: Writable, report: string): void {
    const frame = exceptionFrame(report, this.#exceptionTag);
    const socket = this.#res.socket;
    if (out === this.#res) {
      out.write(frame);
      socket?.destroySoon();
      return;
    }
    // The end of the compression must not end the response.
    this.#last?.unpipe(this.#res).pipe(this.#res, { end: false });
    this.#last?.once('end', () => socket?.destroySoon());
    out.end(frame);
  }
}

/**
 * From ClickHouse 25.11 on the message is between two markers with the tag of the header, its length (including the line
 * end) before the second.
 */
function exceptionFrame(report: string, tag: string | undefined): string {
  const marker = '__exception__\r\n';
  if (tag === undefined) return `${marker}${report}\n`;
  const length = Buffer.byteLength(report) + 1;
  return `\r\n${marker}${tag}\r\n${report}\n${length} ${tag}\r\n${marker}`;
}

function summary(chunks: readonly EngineResult[], startedNs: bigint): string {
  const total = (count: (chunk: EngineResult) => number) =>
    String(chunks.reduce((sum, chunk) => sum + count(chunk), 0));
  return JSON.stringify({
    read_rows: total((chunk) => chunk.readRows),
    read_bytes: total((chunk) => chunk.readBytes),
    written_rows: total((chunk) => chunk.writtenRows),
    written_bytes: total((chunk) => chunk.writtenBytes),
    total_rows_to_read: '0',
    result_rows: total((chunk) => chunk.resultRows),
    result_bytes: total((chunk) => chunk.data.length),
    elapsed_ns: String(process.hrtime.bigint() - startedNs),
  });
}
