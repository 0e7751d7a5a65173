import type { Metric } from '../../../../openapi/client/index.ts';
import { locale } from './locale.ts';

const readable = new Intl.NumberFormat(locale, { maximumSignificantDigits: 5 });
const exact = new Intl.NumberFormat(locale, { maximumSignificantDigits: 9 });
const brief = new Intl.NumberFormat(locale, { maximumSignificantDigits: 3 });
const whole = new Intl.NumberFormat(locale, { maximumFractionDigits: 0 });

/** For labels and tables: 312.04 */
export function shortNumber(value: number): string {
  // 3.5e-17 is an error of rounding.
  return readable.format(Math.abs(value) < 1e-12 ? 0 : value);
}

/** A single result: 312.036224 */
export function exactNumber(value: number): string {
  return exact.format(value);
}

/**
 * A mean with the digits that its interval supports: 680 ± 13 and not 679.764841 ± 13.24. Without an interval three
 * significant digits.
 */
export function estimateText(value: number, half: number | null | undefined): string {
  if (half == null) return brief.format(value);
  const digits = decimalsOf(half);
  return `${rounded(value, digits)} ± ${rounded(half, digits)}`;
}

/** The mean alone, with the same digits. */
export function meanText(value: number, half: number | null | undefined): string {
  return half == null ? brief.format(value) : rounded(value, decimalsOf(half));
}

// Two significant digits of the interval: 13.24 has none after the point, 0.0132 has three, 1324 has minus two.
function decimalsOf(half: number): number {
  if (half <= 0 || !Number.isFinite(half)) return 3;
  return Math.min(1 - Math.floor(Math.log10(half)), 9);
}

function rounded(value: number, decimals: number): string {
  const power = 10 ** decimals;
  const near = decimals < 0 ? Math.round(value * power) / power : value;
  return withDecimals(Math.max(decimals, 0)).format(near);
}

// To create a format takes longer than to use it a thousand times.
const formats = new Map<number, Intl.NumberFormat>();

function withDecimals(digits: number): Intl.NumberFormat {
  const format =
    formats.get(digits) ??
    new Intl.NumberFormat(locale, {
      // Not -0, of a difference.
      signDisplay: 'negative',
      minimumFractionDigits: digits,
      maximumFractionDigits: digits,
    });
  formats.set(digits, format);
  return format;
}

/** Of a share in percent, with its interval: `43% (35 to 51%)`. */
export function shareText(percent: number, low?: number | null, high?: number | null): string {
  const text = `${percentDigits(percent)}%`;
  return low == null || high == null
    ? text
    : `${text} (${percentDigits(low)} to ${percentDigits(high)}%)`;
}

/** 43, 100, 7.1, 0.4: more digits would be of no use in a share of households. */
function percentDigits(percent: number): string {
  const decimals = percent < 10 && percent > 0.05 ? 1 : 0;
  return shortNumber(Number(percent.toFixed(decimals)));
}

/** A difference with its sign and the digits that its interval supports: −192 ± 35, or −192. */
export function differenceText(value: number, half: number | null, hasInterval = true): string {
  const text = hasInterval ? estimateText(value, half) : meanText(value, half);
  return value > 0 && !/^[0.,]+( |$)/.test(text) ? `+${text}` : text.replace('-', '−');
}

/** 136,616 */
export function count(value: number): string {
  return whole.format(value);
}

/** 1.4 MB */
export function byteText(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB'];
  const power = bytes < 1 ? 0 : Math.min(3, Math.floor(Math.log10(bytes) / 3));
  return `${shortNumber(Number((bytes / 1000 ** power).toPrecision(3)))} ${units[power] ?? ''}`;
}

/** The unit as shown: `mbps` is Mbit/s. */
export function unitText(unit: string): string {
  return unit === 'mbps' ? 'Mbit/s' : unit;
}

/** What the mean of a household must be to count: `at least 30 Mbit/s`, and of a delay `below 30 ms`. */
export function thresholdText(
  threshold: number,
  { unit, better }: Pick<Metric, 'unit' | 'better'>,
): string {
  const limit = `${shortNumber(threshold)} ${unitText(unit)}`;
  return better === 'lower' ? `below ${limit}` : `at least ${limit}`;
}
