import type { Problems } from '../../shared/errors/problems.ts';
import { shortened } from '../../shared/errors/shortened.ts';

export type Fields = ReadonlyMap<string, unknown>;

/** undefined: not given; null: invalid and added to the problems. */
export type Parsed<T> = T | null | undefined;

/** Returns the fields of an object. Unknown ones are problems: `agent[foo]`, or `foo` at the top level. */
export function parseFields(
  value: object,
  known: readonly string[],
  parent: string | undefined,
  problems: Problems,
): Fields {
  const fields = new Map(Object.entries(value));
  for (const name of fields.keys()) {
    if (known.includes(name)) continue;
    problems.add(
      parent === undefined ? name : `${parent}[${name}]`,
      'This field was not expected.',
    );
  }
  return fields;
}

export function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** `{}` or `[]`: PHP serialises an empty map as `[]`. */
export function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

export function parseText(value: unknown, path: string, problems: Problems): Parsed<string> {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return problems.add(path, 'This value should be of type string.');
  if (!isStorable(value)) return problems.add(path, unstorable);
  return value;
}

/**
 * `<isp>:<package>`, or `<isp>:` for an ISP without a package. Names may contain colons, so findPackage
 * does the splitting.
 */
export function parsePackageName(value: unknown, path: string, problems: Problems): Parsed<string> {
  if (value === undefined) return undefined;
  if (typeof value !== 'string' || !/^[^:].*:/s.test(value)) {
    return problems.add(path, notAPackage(value));
  }
  return isStorable(value) ? value : problems.add(path, unstorable);
}

export function notAPackage(value: unknown): string {
  return `${shown(value)} is not a valid package name.`;
}

export const unstorable = 'This value contains characters that cannot be stored.';

/** For integers above 2^53. */
export const inexact = 'This value is beyond the largest exact integer.';

/** Postgres refuses NUL and lone surrogates. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}

/** Formats a value for a message: a string unquoted, anything else as JSON. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return shortened(text);
}
