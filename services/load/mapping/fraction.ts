import { decimal, maxExponent } from '../../results/fields/convert-whole-number.ts';

/** An exact number. The denominator is positive; the fraction is not reduced. */
export interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** `43.78` and `1.25e7`; undefined for a text that is not a number. */
export function parseFraction(text: string): Fraction | undefined {
  const [, sign = '', whole = '', decimals = '', exponentText = '0'] =
    decimal.exec(text.trim()) ?? [];
  const digits = whole + decimals;
  const exponent = Number(exponentText);
  if (digits === '' || Math.abs(exponent) > maxExponent) return undefined;
  const magnitude = BigInt(digits);
  const numerator = sign === '-' ? -magnitude : magnitude;
  const places = decimals.length - exponent;
  return places >= 0
    ? { numerator, denominator: powerOfTen(places) }
    : { numerator: numerator * powerOfTen(-places), denominator: 1n };
}

export function add(a: Fraction, b: Fraction): Fraction {
  if (a.denominator === b.denominator) {
    return { numerator: a.numerator + b.numerator, denominator: a.denominator };
  }
  return {
    numerator: a.numerator * b.denominator + b.numerator * a.denominator,
    denominator: a.denominator * b.denominator,
  };
}

export function negate({ numerator, denominator }: Fraction): Fraction {
  return { numerator: -numerator, denominator };
}

export function multiply(a: Fraction, b: Fraction): Fraction {
  return {
    numerator: a.numerator * b.numerator,
    denominator: a.denominator * b.denominator,
  };
}

/** undefined for a division by zero. */
export function divide(a: Fraction, b: Fraction): Fraction | undefined {
  if (b.numerator === 0n) return undefined;
  const sign = b.numerator < 0n ? -1n : 1n;
  return {
    numerator: sign * a.numerator * b.denominator,
    denominator: sign * a.denominator * b.numerator,
  };
}

/**
 * The decimal number, exact up to 40 decimals. Further ones are cut, not rounded: a column of whole
 * numbers rounds the value once, and 0.49999… must not become 0.5 before that.
 */
export function fractionText({ numerator, denominator }: Fraction): string {
  const magnitude = numerator < 0n ? -numerator : numerator;
  const whole = magnitude / denominator;
  const remainder = magnitude % denominator;
  const decimals =
    remainder === 0n
      ? ''
      : String((remainder * powerOfTen(maxDecimals)) / denominator)
          .padStart(maxDecimals, '0')
          .replace(/0+$/, '');
  const text = decimals === '' ? String(whole) : `${whole}.${decimals}`;
  return numerator < 0n && text !== '0' ? `-${text}` : text;
}

const maxDecimals = 40;

// Computing a power for every field takes longer than the multiplication.
const powers: bigint[] = [];

function powerOfTen(exponent: number): bigint {
  return (powers[exponent] ??= 10n ** BigInt(exponent));
}
