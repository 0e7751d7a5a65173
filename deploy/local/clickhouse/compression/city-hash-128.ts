/**
 * CityHash128 of version 1.0.2, with which JDBC checks compressed blocks (later versions differ).
 * Returns its 16 bytes in the byte order of a block. Slow, some megabytes per second, because BigInt is
 * JavaScript's only 64-bit integer.
 */
export function cityHash128(data: Uint8Array): Uint8Array {
  const { read64, length } = reader(data);
  let hash: Pair;
  if (length >= 16) {
    hash = withSeed(data.subarray(16), [read64(0) ^ k3, read64(8)]);
  } else if (length >= 8) {
    const seed: Pair = [read64(0) ^ u64(BigInt(length) * k0), read64(length - 8) ^ k1];
    hash = withSeed(data.subarray(0, 0), seed);
  } else {
    hash = withSeed(data, [k0, k1]);
  }
  const bytes = Buffer.alloc(16);
  bytes.writeBigUInt64LE(hash[0], 0);
  bytes.writeBigUInt64LE(hash[1], 8);
  return bytes;
}

type Pair = readonly [bigint, bigint];

const k0 = 0xc3a5c85c97cb3127n;
const k1 = 0xb492b66fbe98f273n;
const k2 = 0x9ae16a3b2f90404fn;
const k3 = 0xc949d7c7509e6557n;

function withSeed(data: Uint8Array, seed: Pair): Pair {
  if (data.length < 128) return murmur(data, seed);
  const { read64 } = reader(data);
  let [x, y] = seed;
  let z = u64(BigInt(data.length) * k1);
  let v0 = u64(rotate(y ^ k1, 49n) * k1 + read64(0));
  let v1 = u64(rotate(v0, 42n) * k1 + read64(8));
  let w0 = u64(rotate(u64(y + z), 35n) * k1 + x);
  let w1 = u64(rotate(u64(x + read64(88)), 53n) * k1);
  let at = 0;
  for (; data.length - at >= 128; at += 128) {
    for (const part of [at, at + 64]) {
      x = u64(rotate(u64(x + y + v0 + read64(part + 16)), 37n) * k1) ^ w1;
      y = u64(rotate(u64(y + v1 + read64(part + 48)), 42n) * k1) ^ v0;
      z = rotate(z ^ w0, 33n);
      [v0, v1] = weakHash32(read64, part, u64(v1 * k1), u64(x + w0));
      [w0, w1] = weakHash32(read64, part + 32, u64(z + w1), y);
      [z, x] = [x, z];
    }
  }
  y = u64(y + rotate(w0, 37n) * k0 + z);
  x = u64(x + rotate(u64(v0 + z), 49n) * k0);
  // The rest, 32 bytes at a time from the end; the last step overlaps bytes hashed before.
  const left = data.length - at;
  for (let done = 32; done < left + 32; done += 32) {
    const part = data.length - done;
    y = u64(rotate(u64(y - x), 42n) * k0 + v1);
    w0 = u64(w0 + read64(part + 16));
    x = u64(rotate(x, 49n) * k0 + w0);
    w0 = u64(w0 + v0);
    [v0, v1] = weakHash32(read64, part, v0, v1);
  }
  x = hashPair(x, v0);
  y = hashPair(y, w0);
  return [u64(hashPair(u64(x + v1), w1) + y), hashPair(u64(x + w1), u64(y + v1))];
}

function murmur(data: Uint8Array, seed: Pair): Pair {
  const { read64, length } = reader(data);
  let [a, b] = seed;
  let c: bigint;
  let d: bigint;
  if (length <= 16) {
    a = u64(shiftMix(u64(a * k1)) * k1);
    c = u64(b * k1 + hashUpTo16(data));
    d = shiftMix(u64(a + (length >= 8 ? read64(0) : c)));
  } else {
    c = hashPair(u64(read64(length - 8) + k1), a);
    d = hashPair(u64(b + BigInt(length)), u64(c + read64(length - 16)));
    a = u64(a + d);
    for (let at = 0; at < length - 16; at += 16) {
      a = u64((a ^ u64(shiftMix(u64(read64(at) * k1)) * k1)) * k1);
      b ^= a;
      c = u64((c ^ u64(shiftMix(u64(read64(at + 8) * k1)) * k1)) * k1);
      d ^= c;
    }
  }
  a = hashPair(a, c);
  b = hashPair(d, b);
  return [a ^ b, hashPair(b, a)];
}

function hashUpTo16(data: Uint8Array): bigint {
  const { read64, read32, length } = reader(data);
  const byte = (at: number) => BigInt(data[at] ?? 0);
  const size = BigInt(length);
  if (length > 8) {
    const end = read64(length - 8);
    return hashPair(read64(0), rotate(u64(end + size), size)) ^ end;
  }
  if (length >= 4) return hashPair(u64(size + (read32(0) << 3n)), read32(length - 4));
  if (length === 0) return k2;
  const y = byte(0) + (byte(length >> 1) << 8n);
  const z = size + (byte(length - 1) << 2n);
  return u64(shiftMix(u64(y * k2) ^ u64(z * k3)) * k2);
}

function weakHash32(read64: (at: number) => bigint, at: number, a0: bigint, b0: bigint): Pair {
  const z = read64(at + 24);
  const c = u64(a0 + read64(at));
  const b = rotate(u64(b0 + c + z), 21n);
  const a = u64(c + read64(at + 8) + read64(at + 16));
  return [u64(a + z), u64(b + rotate(a, 44n) + c)];
}

function hashPair(low: bigint, high: bigint): bigint {
  const multiplier = 0x9ddfea08eb382d69n;
  const a = shiftMix(u64((low ^ high) * multiplier));
  const b = shiftMix(u64((high ^ a) * multiplier));
  return u64(b * multiplier);
}

function reader(data: Uint8Array) {
  const view = new DataView(data.buffer, data.byteOffset, data.length);
  return {
    length: data.length,
    read64: (at: number) => view.getBigUint64(at, true),
    read32: (at: number) => BigInt(view.getUint32(at, true)),
  };
}

function u64(value: bigint): bigint {
  return BigInt.asUintN(64, value);
}

function rotate(value: bigint, by: bigint): bigint {
  return (value >> by) | u64(value << (64n - by));
}

function shiftMix(value: bigint): bigint {
  return value ^ (value >> 47n);
}
