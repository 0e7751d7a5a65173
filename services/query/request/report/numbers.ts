import type { Problems } from '../../../shared/errors/problems.ts';

/** A percentile: a number from 0 to 100. */
export function percentOf(value: unknown): number | undefined {
  return typeof value === 'number' && value >= 0 && value <= 100 ? value : undefined;
}

/** Undefined if it was not sent or is invalid, which is a problem. */
export function optionalWholeNumber(
  value: unknown,
  path: string,
  problems: Problems,
): number | undefined {
  if (value === undefined || value === null) return undefined;
  const isValid = typeof value === 'number' && Number.isInteger(value) && value >= 1;
  if (isValid && value <= maxWholeNumber) return value;
  problems.add(path, `Send a whole number from 1 to ${maxWholeNumber.toLocaleString('en')}.`);
  return undefined;
}

const maxWholeNumber = 1_000_000;
