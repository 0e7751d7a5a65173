import { type CustomLimits, longFieldProblem } from '../../registry/custom-limits.ts';
import type { Problems } from '../../shared/errors/problems.ts';
import type { CustomFields, CustomValue } from './metadata-change.ts';
import { inexact, isEmpty, isObject, isStorable, type Parsed, unstorable } from './parse-fields.ts';

interface Wording {
  readonly whenNull: string;
  readonly whenEmpty: string;
}

/**
 * Parses `custom` of the selector or of the metadata, which differ in their messages. Only the metadata
 * has limits: nothing too long can be stored, so a selector with it matches no agent.
 */
export function parseCustom(
  value: unknown,
  path: string,
  { whenNull, whenEmpty }: Wording,
  problems: Problems,
  limits?: CustomLimits,
): Parsed<CustomFields> {
  if (value === undefined) return undefined;
  if (value === null) return problems.add(path, whenNull);
  if (isEmpty(value)) return problems.add(path, whenEmpty);
  if (!isObject(value)) return problems.add(path, 'This value should be of type object.');
  const entries = Object.entries(value).map(([key, entry]) => {
    const entryPath = `${path}[${key}]`;
    if (!isValidKey(key)) problems.add(entryPath, 'Invalid key');
    const parsed = parseCustomValue(entry, entryPath, problems);
    const tooLong = limits && parsed !== null ? longFieldProblem(key, parsed, limits) : undefined;
    if (tooLong !== undefined) problems.add(entryPath, tooLong);
    return [key, parsed] as const;
  });
  return Object.fromEntries(entries.filter(isComplete));
}

// These have a special meaning on JavaScript objects.
const reservedKeys: readonly string[] = ['__proto__', 'constructor', 'prototype'];

function isValidKey(key: string): boolean {
  return /\p{L}/u.test(key) && isStorable(key) && !reservedKeys.includes(key);
}

function parseCustomValue(value: unknown, path: string, problems: Problems): CustomValue | null {
  // JSON.parse has already rounded it: 9007199254740993 to 9007199254740992.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return problems.add(path, inexact);
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (typeof value !== 'string') {
    return problems.add(path, 'This value should be of type string or number.');
  }
  return isStorable(value) ? value : problems.add(path, unstorable);
}

function isComplete(
  entry: readonly [string, CustomValue | null],
): entry is readonly [string, CustomValue] {
  return entry[1] !== null;
}
