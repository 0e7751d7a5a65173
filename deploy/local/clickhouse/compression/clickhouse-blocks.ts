import { Transform } from 'node:stream';
import { cityHash128 } from './city-hash-128.ts';
import { lz4Literals, lz4Unpack } from './lz4.ts';

// ClickHouse's own block compression (compress=1, decompress=1), the default of JDBC:
//   16 bytes CityHash128 of the rest | method | packed size, including these 9 bytes | unpacked size | data

const methods = { lz4: 0x82, none: 0x02 } as const;
const headBytes = 9;
const blockBytes = 64 * 1024;

/** Converts a stream to LZ4 blocks without compressing it. */
export function clickHouseBlocks(): Transform {
  return new Transform({
    transform(data: Buffer, _encoding, done) {
      for (let at = 0; at < data.length; at += blockBytes) {
        this.push(packed(data.subarray(at, at + blockBytes)));
      }
      done();
    },
  });
}

export function unpackClickHouseBlocks(input: Buffer, limitBytes: number): Uint8Array {
  const blocks: Uint8Array[] = [];
  let total = 0;
  for (let at = 0; at < input.length;) {
    if (input.length < at + 16 + headBytes) throw new Error('a compressed block ends too early');
    const packedBytes = input.readUInt32LE(at + 17);
    const unpackedBytes = input.readUInt32LE(at + 21);
    total += unpackedBytes;
    if (total > limitBytes) throw new RangeError('the unpacked body is too large');
    const block = input.subarray(at + 16, at + 16 + packedBytes);
    if (packedBytes < headBytes || block.length < packedBytes) {
      throw new Error('a compressed block ends too early');
    }
    if (Buffer.compare(cityHash128(block), input.subarray(at, at + 16)) !== 0) {
      throw new Error('the checksum of a compressed block does not match');
    }
    blocks.push(unpacked(block, unpackedBytes));
    at += 16 + packedBytes;
  }
  return Buffer.concat(blocks);
}

function packed(data: Uint8Array): Uint8Array {
  const content = lz4Literals(data);
  const block = Buffer.alloc(headBytes + content.length);
  block.writeUInt8(methods.lz4, 0);
  block.writeUInt32LE(block.length, 1);
  block.writeUInt32LE(data.length, 5);
  block.set(content, headBytes);
  return Buffer.concat([cityHash128(block), block]);
}

function unpacked(block: Buffer, unpackedBytes: number): Uint8Array {
  const content = block.subarray(headBytes);
  const method = block.readUInt8(0);
  if (method === methods.none) return content;
  if (method !== methods.lz4) {
    throw new Error(
      `the local server unpacks LZ4 blocks only, not method 0x${method.toString(16)}`,
    );
  }
  const out = Buffer.alloc(unpackedBytes);
  if (lz4Unpack(content, out) !== unpackedBytes) throw new Error('a compressed block is too short');
  return out;
}
