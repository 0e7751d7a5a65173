import xxhash from 'xxhash-wasm';

const hashes = await xxhash();
const maxBlockBytes = 128 * 1024;

/** A zstd frame whose blocks are not compressed, with a checksum: Node has no zstd before version 22.15. */
export function zstdFrame(content: Buffer): Buffer {
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0b1010_0100, 0, 0, 0, 0]);
  header.writeUInt32LE(content.length, 5);
  const blocks: Buffer[] = [];
  for (let at = 0; at === 0 || at < content.length; at += maxBlockBytes) {
    const bytes = content.subarray(at, at + maxBlockBytes);
    const isLast = at + maxBlockBytes >= content.length;
    const blockHeader = Buffer.alloc(3);
    blockHeader.writeUIntLE((bytes.length << 3) | (isLast ? 1 : 0), 0, 3);
    blocks.push(blockHeader, bytes);
  }
  const checksum = Buffer.alloc(4);
  checksum.writeUInt32LE(Number(BigInt.asUintN(32, hashes.h64Raw(content))));
  return Buffer.concat([header, ...blocks, checksum]);
}
