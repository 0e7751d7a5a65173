import type { Parsing } from '../parse-context.ts';
import { isObject, type Json, warnOfUnknownFields } from '../request-body.ts';
import type { RequestFields, Schema } from './request-field.ts';

export function choice<const T extends string>(...names: readonly T[]) {
  const quoted = names.map((name) => `"${name}"`).join(' or ');
  return shape(
    { type: 'string', enum: names },
    (value) => names.find((name) => name === value),
    `Send ${names.length === 2 ? quoted : `one of: ${names.join(', ')}`}.`,
  );
}

export const trueOrFalse = shape(
  { type: 'boolean' },
  (value) => (typeof value === 'boolean' ? value : undefined),
  'Send true or false.',
);

const maxWholeNumber = 1_000_000;

export const wholeNumber = shape(
  { type: 'integer', minimum: 1, maximum: maxWholeNumber },
  (value) => (Number.isInteger(value) ? numberWithin(value, 1, maxWholeNumber) : undefined),
  `Send a whole number from 1 to ${maxWholeNumber.toLocaleString('en')}.`,
);

export const percentile = shape(
  { type: 'number', minimum: 0, maximum: 100 },
  percentOf,
  'Send a percentile: a number from 0 to 100.',
);

export function percentOf(value: unknown): number | undefined {
  return numberWithin(value, 0, 100);
}

function numberWithin(value: unknown, lowest: number, highest: number): number | undefined {
  return typeof value === 'number' && value >= lowest && value <= highest ? value : undefined;
}

export function isNumber(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

/** A type of values with its parser. `read` returns undefined for an invalid value. */
function shape<T, Of extends Schema>(
  schema: Of,
  read: (value: unknown) => T | undefined,
  invalid: string,
) {
  return {
    schema,
    parse: (value: unknown, path: string, { problems }: Pick<Parsing, 'problems'>): T | null =>
      read(value) ?? problems.add(path, invalid),
  };
}

/** An object: `read` gets the fields that it has, without nulls and defaults. */
export function object<T, Scope extends Pick<Parsing, 'problems'>>(
  fields: RequestFields,
  invalid: string,
  read: (object: Json, path: string, scope: Scope) => T | null,
) {
  return {
    schema: { type: 'object' },
    fields,
    parse(value: unknown, path: string, scope: Scope): T | null {
      if (!isObject(value)) return scope.problems.add(path, invalid);
      warnOfUnknownFields(value, Object.keys(fields), path, scope.problems.warnings);
      return read(withoutDefaults(value, fields), path, scope);
    },
  };
}

/** Reads known names only: an object may have thousands of others, of which a copy would take long. */
export function withoutDefaults(object: Json, fields: RequestFields): Json {
  const sent = Object.entries(fields).flatMap(([name, field]) => {
    const value = object[name];
    const isSent = value !== undefined && value !== null && value !== field.default;
    return isSent ? [[name, value] as const] : [];
  });
  return Object.fromEntries(sent);
}
