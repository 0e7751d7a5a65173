import { Random } from '../property/random.ts';

/** Normally distributed numbers from a seed, by the method of Box and Muller. */
export function normalNumbers(seed: number): () => number {
  const random = new Random(seed);
  return () =>
    Math.sqrt(-2 * Math.log(1 - random.fraction())) * Math.cos(2 * Math.PI * random.fraction());
}
