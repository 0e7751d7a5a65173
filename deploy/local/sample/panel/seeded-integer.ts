import { createHash } from 'node:crypto';

/**
 * A pseudorandom integer from 0 to count - 1 that depends only on its arguments, so that a new call
 * does not change other households.
 */
export function seededInteger(seed: number, label: string, count: number): number {
  return createHash('sha256').update(`${seed}/${label}`).digest().readUInt32BE() % count;
}

/** One of the items; always the same one for the same seed and label. */
export function pickBySeed<T>(seed: number, label: string, items: readonly T[]): T {
  const item = items[seededInteger(seed, label, items.length)];
  if (item === undefined) throw new Error(`Nothing to pick from for ${label}`);
  return item;
}
