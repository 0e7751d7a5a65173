import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import type { EngineResult } from '../../deploy/local/clickhouse/engines/engine.ts';
import type {
  ConnectionOptions,
  EngineConnection,
  EngineLibrary,
} from '../../deploy/local/clickhouse/engines/native/library.ts';
import { repositoryRoot } from '../../services/shared/repository-root.ts';

interface Response extends Omit<EngineResult, 'data'> {
  readonly id: number;
  readonly length: number;
  readonly error?: string;
}

type Settle = (response: Response, data: Buffer<ArrayBuffer>) => void;

/** An engine of the PyPI packages, which exist for more versions than the library of npm. */
export class PythonLibrary implements EngineLibrary {
  readonly #packages: string;
  readonly #version: string;
  readonly #pending = new Map<number, Settle>();
  #child: ChildProcess | undefined;
  #calls = 0;
  #connections = 0;

  constructor(packages: string, version: string) {
    this.#packages = packages;
    this.#version = version;
  }

  version(): string {
    return this.#version;
  }

  async connect({ dataDir, configFile }: ConnectionOptions): Promise<EngineConnection> {
    this.#child ??= this.#spawn(`${dataDir}?config-file=${configFile}`);
    const connection = ++this.#connections;
    await this.#call({ call: 'connect', connection });
    return {
      query: (sql, format = 'TabSeparated') =>
        this.#call({ call: 'query', connection, sql, format }),
      stream: async (sql, format) => {
        await this.#call({ call: 'stream', connection, sql, format });
        let isFirst = true;
        let isOver = false;
        return {
          next: async () => {
            if (isOver) return undefined;
            const chunk = await this.#call({ call: 'fetch', connection }).catch(
              (error: unknown) => {
                if (!String(error).includes('No active streaming query')) throw error;
                return undefined;
              },
            );
            isOver = chunk === undefined || chunk.data.length === 0;
            // Before 26.5 the stream of an empty result lacks the header chunk: query it without streaming.
            const isEmptyResult = isFirst && isOver;
            isFirst = false;
            if (isEmptyResult) return this.#call({ call: 'query', connection, sql, format });
            return isOver ? undefined : chunk;
          },
          close: () => this.#send({ call: 'endStream', connection, isOver }),
        };
      },
      close: () => this.#send({ call: 'close', connection }),
    };
  }

  #spawn(address: string): ChildProcess {
    const script = join(repositoryRoot, 'test/engines/python-library.py');
    const child = spawn('python3', [script, this.#packages, address], {
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    // The server cannot work without its engine.
    child.once('exit', (code, signal) => {
      process.stderr.write(`The Python engine exited with ${signal ?? code}\n`);
      process.exit(1);
    });
    void this.#readResponses(child.stdout);
    return child;
  }

  async #send(request: object): Promise<void> {
    await this.#call(request);
  }

  #call(request: object): Promise<EngineResult> {
    const id = ++this.#calls;
    return new Promise((resolve, reject) => {
      this.#pending.set(id, ({ error, ...counts }, data) => {
        if (error === undefined) resolve({ ...counts, data });
        else reject(new Error(error));
      });
      this.#child?.stdin?.write(`${JSON.stringify({ id, ...request })}\n`);
    });
  }

  async #readResponses(output: Readable): Promise<void> {
    let held: Buffer<ArrayBuffer> = Buffer.alloc(0);
    for await (const piece of output as AsyncIterable<Buffer<ArrayBuffer>>) {
      held = held.length === 0 ? piece : Buffer.concat([held, piece]);
      for (;;) {
        const lineEnd = held.indexOf('\n');
        if (lineEnd === -1) break;
        const response = JSON.parse(held.toString('utf8', 0, lineEnd)) as Response;
        const end = lineEnd + 1 + response.length;
        if (held.length < end) break;
        this.#pending.get(response.id)?.(response, held.subarray(lineEnd + 1, end));
        this.#pending.delete(response.id);
        held = held.subarray(end);
      }
    }
  }
}
