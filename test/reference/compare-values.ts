import type { Value } from './panel.ts';

/** Ascending: numbers by size, texts by the bytes of their UTF-8, and no value at all comes last. */
export function compareValues(a: Value, b: Value): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === 'number' && typeof b === 'number') return a - b;
  return Buffer.compare(Buffer.from(String(a)), Buffer.from(String(b)));
}
