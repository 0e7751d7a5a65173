import type { Problems } from '../../shared/errors/problems.ts';

export type Fields = ReadonlyMap<string, unknown>;

/** undefined: not given; null: given and wrong, and named among the problems. */
export type Parsed<T> = T | null | undefined;

/** The fields of an object, with a problem for each unknown one: `agent[foo]`, or `foo` at the top. */
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

/** `{}`, and `[]` too: that is how PHP writes an empty map. */
export function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

export function parseText(value: unknown, path: string, problems: Problems): Parsed<string> {
  if (value === undefined) return undefined;
  if (typeof value !== 'string') return problems.add(path, 'This value should be of type string.');
  if (!isStorable(value)) return problems.add(path, unstorable);
  return value;
}

export const unstorable = 'This value contains characters that cannot be stored.';

/** Of whole numbers beyond 2^53. */
export const inexact = 'This value is beyond the largest exact integer.';

/** Postgres takes neither NUL nor half a surrogate pair. */
export function isStorable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}

const longestShown = 200;

/** A value inside a message: text bare, anything else as its JSON. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > longestShown ? `${text.slice(0, longestShown)}…` : text;
}
