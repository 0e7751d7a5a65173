import type { Warnings } from '../../shared/errors/warnings.ts';
import { suggestion } from './suggestion.ts';

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Unknown fields are ignored, but not silently: a misspelt field changes the response. */
export function warnOfUnknownFields(
  object: Json,
  known: readonly string[],
  path: string,
  warnings: Warnings,
): void {
  for (const name of Object.keys(object)) {
    if (known.includes(name)) continue;
    if (warnings.isFull) return;
    const at = path === '' ? name : `${path}[${name}]`;
    warnings.add('UNKNOWN_FIELD', at, `Ignored an unknown field. ${suggestion(name, known)}`);
  }
}
