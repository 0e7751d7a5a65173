import { pipeline, type Readable, Transform } from 'node:stream';
import { createGunzip } from 'node:zlib';
import { TextDecoderStep, type TextFormat } from './text-decoder-step.ts';
import type { Encoding } from './text-encoding.ts';
import { unzstd, type ZstdLimits } from '../../../results/compression/unzstd.ts';

/** A file as UTF-8 text with LF or CRLF line ends. */
export interface TextInput {
  readonly content: Readable;
  /** What was detected. Complete when `content` has its first byte. */
  readonly format: TextFormat;
}

interface OpenOptions {
  /** undefined: detected from the beginning of the file. */
  readonly encoding?: Encoding | undefined;
  /** Counts the bytes before decompression. */
  readonly onBytes?: (count: number) => void;
}

/** Decompresses and decodes. */
export function openText(raw: Readable, { encoding, onBytes }: OpenOptions = {}): TextInput {
  const decoder = new TextDecoderStep(encoding);
  const content = decompressed(raw, onBytes ?? (() => undefined));
  pipeline(content, decoder, () => undefined);
  return { content: decoder, format: decoder.format };
}

/** Detects gzip and zstd by their first bytes, not by the file name. */
export function decompressed(raw: Readable, onBytes: (count: number) => void): Readable {
  const counted = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      onBytes(chunk.length);
      done(null, chunk);
    },
  });
  const output = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      done(null, chunk);
    },
  });
  // A failing pipeline destroys `output` with its error.
  const fail = (error?: Error | null) => {
    if (error) output.destroy(error);
  };
  pipeline(raw, counted, fail);
  counted.once('readable', () => {
    const head = counted.read() as Buffer | null;
    if (head === null) {
      output.end();
      return;
    }
    counted.unshift(head);
    if (head[0] === 0x1f && head[1] === 0x8b) pipeline(counted, createGunzip(), output, fail);
    else if (head.subarray(0, 4).equals(zstdMagic)) pipeline(counted, unzstdFile, output, fail);
    else pipeline(counted, output, fail);
  });
  return output;
}

const zstdMagic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

function unzstdFile(source: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  return unzstd(source, zstdLimits);
}

/** The default of the program zstd. */
const zstdLimits: ZstdLimits = { maxWindowLog: 27 };
