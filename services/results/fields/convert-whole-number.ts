import type { Conversion } from './convert-time.ts';

interface Range {
  readonly min: bigint;
  readonly max: bigint;
  /** Whether a fraction is rounded. Otherwise only a fraction of zeros is accepted. */
  readonly mayRound: boolean;
}

/**
 * The whole number nearest to a decimal: `123.0`, `1.25e7` and `4709.6`. A half is rounded away from
 * zero. Computed from the digits: a 64-bit integer is not exact as a JavaScript number.
 */
export function convertWholeNumber(
  text: string,
  { min, max, mayRound }: Range,
): Conversion | undefined {
  const [, sign = '', whole = '', fraction = '', exponentText = '0'] =
    decimal.exec(text.trim()) ?? [];
  const digits = whole + fraction;
  const exponent = Number(exponentText);
  if (digits === '' || Math.abs(exponent) > maxExponent) return undefined;

  const places = whole.length + exponent;
  const kept = places <= 0 ? '0' : digits.slice(0, places).padEnd(places, '0');
  const dropped = places < 0 ? '0'.repeat(-places) + digits : digits.slice(places);
  const isExact = /^0*$/.test(dropped);
  if (!isExact && !mayRound) return undefined;

  const magnitude = BigInt(kept) + (/^[5-9]/.test(dropped) ? 1n : 0n);
  const value = sign === '-' ? -magnitude : magnitude;
  if (value < min || value > max) return undefined;
  return isExact ? { text: String(value) } : { text: String(value), change: 'rounded' };
}

/**
 * Sign, whole part, fraction and exponent of a number, with at least one digit. The length is limited, to bound
 * the work on a field.
 */
export const decimal = /^(-?)(?=\.?\d)(\d{0,40})(?:\.(\d{0,60}))?(?:[eE]([+-]?\d{1,3}))?$/;
export const maxExponent = 40;
