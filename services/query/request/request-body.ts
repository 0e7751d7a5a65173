import type { Problems } from '../../shared/errors/problems.ts';
import { suggestion } from './suggestion.ts';

export type Json = Readonly<Record<string, unknown>>;

export function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A misspelt field must not be ignored: the response would not be what the client wants. */
export function rejectUnknownFields(
  object: Json,
  known: readonly string[],
  path: string,
  problems: Problems,
): void {
  for (const name of Object.keys(object)) {
    if (known.includes(name)) continue;
    const at = path === '' ? name : `${path}[${name}]`;
    problems.add(at, `Unknown field. ${suggestion(name, known)}`);
  }
}

export function requiredBoolean(body: Json, name: string, problems: Problems): boolean {
  const value = body[name];
  if (typeof value === 'boolean') return value;
  problems.add(name, value === undefined ? `Required: send true or false.` : 'Send true or false.');
  return false;
}
