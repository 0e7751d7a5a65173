import type { Value } from './panel.ts';

/** Ascending: numbers first, then texts by their UTF-8 bytes, then null. */
export function compareValues(a: Value, b: Value): number {
  const kinds = kindOf(a) - kindOf(b);
  if (kinds !== 0 || a === null || b === null) return kinds;
  if (typeof a === 'number') return a - Number(b);
  return Buffer.compare(Buffer.from(a), Buffer.from(String(b)));
}

function kindOf(value: Value): number {
  return typeof value === 'number' ? 0 : value === null ? 2 : 1;
}
