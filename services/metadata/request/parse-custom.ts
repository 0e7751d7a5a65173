import { type CustomLimits, longFieldProblem } from '../../registry/organisations/custom-limits.ts';
import type { Problems } from '../../shared/errors/problems.ts';
import type { CustomValue } from './metadata-change.ts';
import { inexact, isEmpty, isObject, isStorable, type Parsed, unstorable } from './parse-fields.ts';

interface Wording {
  readonly whenNull: string;
  readonly whenEmpty: string;
}

/**
 * Parses `custom`. In new metadata, which has limits, null removes a key. A selector has no limits: nothing too long can
 * be stored, so it matches no agent.
 */
export function parseCustom(
  value: unknown,
  path: string,
  { whenNull, whenEmpty }: Wording,
  problems: Problems,
  limits?: CustomLimits,
): Parsed<Readonly<Record<string, CustomValue | null>>> {
  if (value === undefined) return undefined;
  if (value === null) return problems.add(path, whenNull);
  if (isEmpty(value)) return problems.add(path, whenEmpty);
  if (!isObject(value)) return problems.add(path, 'This value should be of type object.');
  for (const [key, entry] of Object.entries(value)) {
    const entryPath = `${path}[${key}]`;
    if (!isValidKey(key)) problems.add(entryPath, 'Invalid key');
    if (entry === null && limits !== undefined) continue;
    const problem =
      valueProblem(entry) ?? (limits && longFieldProblem(key, entry as CustomValue, limits));
    if (problem !== undefined) problems.add(entryPath, problem);
  }
  return value as Readonly<Record<string, CustomValue | null>>;
}

// These have a special meaning on JavaScript objects.
const reservedKeys: readonly string[] = ['__proto__', 'constructor', 'prototype'];

function isValidKey(key: string): boolean {
  return /\p{L}/u.test(key) && isStorable(key) && !reservedKeys.includes(key);
}

function valueProblem(value: unknown): string | undefined {
  // JSON.parse has already rounded it: 9007199254740993 to 9007199254740992.
  if (Number.isInteger(value) && !Number.isSafeInteger(value)) return inexact;
  if (typeof value === 'number' && Number.isFinite(value)) return undefined;
  if (typeof value !== 'string') return 'This value should be of type string or number.';
  return isStorable(value) ? undefined : unstorable;
}
