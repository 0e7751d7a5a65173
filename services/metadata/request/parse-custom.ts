import { type CustomLimits, longFieldProblem } from '../../registry/custom-limits.ts';
import type { Problems } from '../../shared/errors/problems.ts';
import type { CustomFields, CustomValue } from './metadata-change.ts';
import { inexact, isEmpty, isObject, isStorable, type Parsed, unstorable } from './parse-fields.ts';

interface Wording {
  readonly whenNull: string;
  readonly whenEmpty: string;
}

/**
 * Parses `custom` of the selector. It has no limits: nothing too long can be stored, so a selector with
 * it matches no agent.
 */
export function parseSelectedCustom(
  value: unknown,
  path: string,
  wording: Wording,
  problems: Problems,
): Parsed<CustomFields> {
  return parseCustom(value, path, wording, problems, (_key, entry, entryPath) =>
    parseCustomValue(entry, entryPath, problems),
  );
}

/** Parses `custom` of the new metadata, in which null removes a key. */
export function parseNewCustom(
  value: unknown,
  path: string,
  wording: Wording,
  problems: Problems,
  limits: CustomLimits,
): Parsed<Readonly<Record<string, CustomValue | null>>> {
  return parseCustom(value, path, wording, problems, (key, entry, entryPath) => {
    if (entry === null) return null;
    const parsed = parseCustomValue(entry, entryPath, problems);
    const tooLong = parsed === undefined ? undefined : longFieldProblem(key, parsed, limits);
    if (tooLong !== undefined) problems.add(entryPath, tooLong);
    return parsed;
  });
}

function parseCustom<T>(
  value: unknown,
  path: string,
  { whenNull, whenEmpty }: Wording,
  problems: Problems,
  parseEntry: (key: string, entry: unknown, path: string) => T | undefined,
): Parsed<Readonly<Record<string, T>>> {
  if (value === undefined) return undefined;
  if (value === null) return problems.add(path, whenNull);
  if (isEmpty(value)) return problems.add(path, whenEmpty);
  if (!isObject(value)) return problems.add(path, 'This value should be of type object.');
  const entries = Object.entries(value).flatMap(([key, entry]) => {
    const entryPath = `${path}[${key}]`;
    if (!isValidKey(key)) problems.add(entryPath, 'Invalid key');
    const parsed = parseEntry(key, entry, entryPath);
    return parsed === undefined ? [] : [[key, parsed] as const];
  });
  return Object.fromEntries(entries);
}

// These have a special meaning on JavaScript objects.
const reservedKeys: readonly string[] = ['__proto__', 'constructor', 'prototype'];

function isValidKey(key: string): boolean {
  return /\p{L}/u.test(key) && isStorable(key) && !reservedKeys.includes(key);
}

/** Returns undefined if the value is invalid. */
function parseCustomValue(
  value: unknown,
  path: string,
  problems: Problems,
): CustomValue | undefined {
  const problem = valueProblem(value);
  if (problem === undefined) return value as CustomValue;
  problems.add(path, problem);
  return undefined;
}

function valueProblem(value: unknown): string | undefined {
  // JSON.parse has already rounded it: 9007199254740993 to 9007199254740992.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return inexact;
  if (typeof value === 'number' && Number.isFinite(value)) return undefined;
  if (typeof value !== 'string') return 'This value should be of type string or number.';
  return isStorable(value) ? undefined : unstorable;
}
