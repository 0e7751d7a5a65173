/** A valid LZ4 block with uncompressed data: for the blocks of JDBC. */
export function lz4Literals(data: Uint8Array): Uint8Array {
  if (data.length < 15) return Buffer.concat([Buffer.of(data.length << 4), data]);
  const beyond = data.length - 15;
  const lengths = Buffer.alloc(Math.floor(beyond / 255) + 1, 255);
  lengths[lengths.length - 1] = beyond % 255;
  return Buffer.concat([Buffer.of(0xf0), lengths, data]);
}

/** Unpacks an LZ4 block into `out` from `start` on. Returns the end offset. */
export function lz4Unpack(block: Uint8Array, out: Uint8Array, start = 0): number {
  let from = 0;
  let to = start;
  const length = (nibble: number): number => {
    let total = nibble;
    if (nibble < 15) return total;
    for (let more = 255; more === 255; total += more) more = byteAt(block, from++);
    return total;
  };
  while (from < block.length) {
    const token = byteAt(block, from++);
    const literals = length(token >> 4);
    if (from + literals > block.length || to + literals > out.length) throw brokenBlock();
    out.set(block.subarray(from, from + literals), to);
    from += literals;
    to += literals;
    // The last sequence has no match.
    if (from >= block.length) return to;
    const distance = byteAt(block, from) | (byteAt(block, from + 1) << 8);
    from += 2;
    const matched = length(token & 15) + 4;
    if (distance === 0 || distance > to || to + matched > out.length) throw brokenBlock();
    // Byte by byte, because a match may overlap its own output.
    for (const end = to + matched; to < end; to++) out[to] = out[to - distance] ?? 0;
  }
  return to;
}

function byteAt(block: Uint8Array, at: number): number {
  const byte = block[at];
  if (byte === undefined) throw brokenBlock();
  return byte;
}

const brokenBlock = () => new Error('the LZ4 data is invalid');
