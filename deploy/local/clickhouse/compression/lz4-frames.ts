import { Transform } from 'node:stream';
import { lz4Unpack } from './lz4.ts';

/**
 * Converts a stream to one LZ4 frame without compressing it. clickhouse-connect sends and asks for LZ4 by default, JDBC
 * with enable_http_compression=1.
 */
export function lz4Frame(): Transform {
  let isStarted = false;
  const start = (frame: Transform) => {
    if (!isStarted) frame.push(frameHead);
    isStarted = true;
  };
  return new Transform({
    transform(data: Buffer, _encoding, done) {
      start(this);
      for (let at = 0; at < data.length; at += blockBytes) {
        const block = data.subarray(at, at + blockBytes);
        const size = Buffer.alloc(4);
        size.writeUInt32LE(block.length + plainBlock);
        this.push(Buffer.concat([size, block]));
      }
      done();
    },
    flush(done) {
      start(this);
      this.push(Buffer.alloc(4));
      done();
    },
  });
}

const magic = 0x184d2204;
const blockBytes = 64 * 1024;
/** Added to the size of a block that is not compressed. */
const plainBlock = 0x80000000;
// The magic number, flags for independent blocks of at most 64 KiB without checksums, header checksum.
const frameHead = Buffer.from('04224d18604082', 'hex');

/** Unpacks `Content-Encoding: lz4`, which is the LZ4 frame format. Does not verify checksums. */
export function unpackLz4Frames(input: Buffer, limitBytes: number): Uint8Array {
  const frames: Uint8Array[] = [];
  for (let at = 0; at < input.length;) {
    const { data, end } = unpackFrame(input, at, limitBytes);
    frames.push(data);
    at = end;
  }
  return Buffer.concat(frames);
}

function unpackFrame(input: Buffer, start: number, limitBytes: number) {
  if (input.readUInt32LE(start) !== magic)
    throw new Error('the body is not in the LZ4 frame format');
  const flags = input.readUInt8(start + 4);
  const has = (flag: number) => (flags & flag) !== 0;
  const maxBlockBytes = 1 << (8 + 2 * ((input.readUInt8(start + 5) >> 4) & 7));
  let at = start + 7 + (has(0x08) ? 8 : 0) + (has(0x01) ? 4 : 0);
  // Blocks may refer to earlier ones, so a frame is unpacked into one buffer.
  let out = Buffer.alloc(maxBlockBytes);
  let length = 0;
  for (;;) {
    const head = input.readUInt32LE(at);
    at += 4;
    if (head === 0) break;
    const size = head % plainBlock;
    const block = input.subarray(at, at + size);
    if (block.length < size) throw new Error('the LZ4 data ends too early');
    if (out.length - length < maxBlockBytes) {
      if (out.length > limitBytes) throw new RangeError('the unpacked body is too large');
      out = Buffer.concat([out], Math.max(out.length * 2, length + maxBlockBytes));
    }
    const isPlain = head >= plainBlock;
    if (isPlain) length += block.copy(out, length);
    else length = lz4Unpack(block, out, length);
    at += size + (has(0x10) ? 4 : 0);
  }
  return { data: out.subarray(0, length), end: at + (has(0x04) ? 4 : 0) };
}
