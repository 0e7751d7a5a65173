import { createHash } from 'node:crypto';

/**
 * A whole number from 0 to sides - 1 that depends on nothing but its arguments, so that adding a
 * throw elsewhere leaves every other household as it was.
 */
export function sampleDice(seed: number, label: string, sides: number): number {
  return createHash('sha256').update(`${seed}/${label}`).digest().readUInt32BE() % sides;
}

/** One of the items, for ever the same one for the same seed and label. */
export function pickBySeed<T>(seed: number, label: string, items: readonly T[]): T {
  const item = items[sampleDice(seed, label, items.length)];
  if (item === undefined) throw new Error(`Nothing to pick from for ${label}`);
  return item;
}
