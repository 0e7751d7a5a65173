import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { pipeline, type Readable } from 'node:stream';
import zlib from 'node:zlib';

/**
 * Decompresses a stream of zstd. Node has zstd from version 22.15; before, the program zstd of the
 * operating system does it.
 */
export async function* unzstd(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  if (isBuiltIn) yield* decompressedBy(zlib.createZstdDecompress(), source);
  else yield* decompressedByProgram(source);
}

/** Decompresses a page of a Parquet file. */
export function unzstdSync(input: Uint8Array, outputBytes: number): Uint8Array {
  if (isBuiltIn) return zlib.zstdDecompressSync(input);
  const { error, status, stdout, stderr } = spawnSync('zstd', ['-dcq'], {
    input,
    maxBuffer: outputBytes + 1024,
  });
  if (error !== undefined) throw startError(error);
  if (status !== 0) throw zstdError(stderr.toString());
  return stdout;
}

const isBuiltIn = typeof (zlib as Partial<typeof zlib>).createZstdDecompress === 'function';

async function* decompressedBy(
  decompress: NodeJS.ReadWriteStream & Readable,
  source: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  pipeline(source, decompress, () => undefined);
  try {
    for await (const chunk of decompress) yield chunk as Buffer;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const isOfZstd = code !== undefined && /^Z(STD)?_/.test(code);
    throw isOfZstd ? zstdError((error as Error).message) : error;
  }
}

async function* decompressedByProgram(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  const child = spawn('zstd', ['-dcq'], { stdio: 'pipe' });
  const closed = once(child, 'close') as Promise<[number | null]>;
  // Awaited below; until then it must not be an unhandled rejection.
  closed.catch(() => undefined);
  let problem = '';
  let readError: Error | undefined;
  child.stderr.on('data', (text: Buffer) => (problem += text.toString()));
  pipeline(source, child.stdin, (error) => {
    // The program closes its input when the data is damaged.
    if (error && error.code !== 'EPIPE') readError = error;
  });
  try {
    for await (const chunk of child.stdout) yield chunk as Buffer;
    const [code] = await closed.catch((error: unknown) => {
      throw startError(error as Error);
    });
    if (readError !== undefined) throw readError;
    if (code !== 0) throw zstdError(problem);
  } finally {
    child.kill();
  }
}

function startError(error: Error): Error {
  const message = 'zstd needs Node 22.15 or later, or the program zstd in the PATH';
  return new Error(message, { cause: error });
}

function zstdError(detail: string): Error {
  const isCut = /premature|unexpected end|truncated|incomplete|end of file/i.test(detail);
  const cause = new Error(detail.trim());
  return new Error(`the zstd data is ${isCut ? 'cut short' : 'damaged'}`, { cause });
}
