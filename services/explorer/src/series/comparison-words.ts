import type { Metric } from '../../../../openapi/client/index.ts';
import type { changeNumbers } from '../../../catalog/comparison.ts';
import { count, differenceText, meanText, unitText } from '../dom/number-text.ts';
import { type Compared, isMoreThanChance, reasonWords } from './difference.ts';

/** Both sides of a comparison in words. */
export interface Sides {
  readonly here: string;
  readonly there: string;
  /** Of a sentence: `at peak`, `than in the period before`. */
  readonly than: string;
  readonly verb: 'is' | 'was';
}

type Measured = Pick<Metric, 'name' | 'unit' | 'better'>;

/** What a difference below and above 0 means, for an axis. */
export function directionWords(metric: Measured): string {
  const [lower, higher] = [directionOf(-1, metric), directionOf(1, metric)];
  if (metric.unit === 'mbps' || metric.better === null) return `← ${lower} | ${higher} →`;
  return metric.better === 'lower'
    ? `← ${lower} (better) | ${higher} →`
    : `← ${lower} | ${higher} (better) →`;
}

function directionOf(difference: number, { unit }: Measured): string {
  if (unit === 'mbps') return difference < 0 ? 'slower' : 'faster';
  return difference < 0 ? 'lower' : 'higher';
}

/** The unit of a difference: of percentages it is not percent. */
export function differenceUnit({ unit }: Measured): string {
  return unit === '%' ? 'percentage points' : unitText(unit);
}

/** What a difference consists of. */
export const partWords: Readonly<Record<(typeof changeNumbers)[number]['name'], string>> = {
  joined: 'Households that joined',
  left: 'Households that left',
  samePlan: 'Stayed on the same plan',
  changedPlan: 'Changed their plan',
  reweighted: 'Other weights',
};

interface SentenceParts {
  readonly metric: Measured;
  readonly sides: Sides;
  readonly hasSplits: boolean;
}

/**
 * A sentence to quote. It states a difference only if that is more than chance; the interval is that of 95 %, which
 * belongs to this level.
 */
export function sentenceOf(row: Compared, { metric, sides, hasSplits }: SentenceParts): string {
  const { label } = row.series;
  const name = hasSplits ? label.charAt(0).toUpperCase() + label.slice(1) : metric.name;
  const { difference, half95, reason } = row;
  if (difference === null || half95 === null || row.p === null) {
    return `${name}: ${reason === null ? 'not compared' : reasonWords[reason]}.`;
  }
  const unit = differenceUnit(metric);
  const [low, high] = [difference - half95, difference + half95];
  const sample = row.households === null ? '' : `, ${count(row.households)} households`;
  if (!isMoreThanChance(row)) {
    // The interval is of this series alone, the probability of all of them.
    const adjusted =
      low > 0 || high < 0 ? `; p = ${row.p.toPrecision(2)}, adjusted for all series together` : '';
    const range = `${endText(low, half95)} to ${endText(high, half95)} ${unit}`;
    return `${name}: no difference can be shown (${range}${sample}${adjusted}).`;
  }
  const amount = (value: number) => meanText(Math.abs(value), half95);
  const [near, far] = difference < 0 ? [high, low] : [low, high];
  const verdict = `${amount(difference)} ${unit} ${directionOf(difference, metric)} ${sides.than}`;
  const interval = `95 % interval ${amount(near)} to ${amount(far)}${sample}`;
  // The unit of a speed says what is measured.
  const isOfSpeed = metric.unit === 'mbps' || !hasSplits;
  const subject = isOfSpeed ? name : `${name}: ${withinSentence(metric.name)}`;
  return `${subject} ${sides.verb} ${verdict} (${interval}).`;
}

/** What the difference consists of, for a comparison of periods; undefined for others. */
export function partsText({ point: { change = {} }, half95 }: Compared): string | undefined {
  const parts = Object.entries(partWords).flatMap(([name, words]) => {
    const value = change[name];
    return value == null || value === 0
      ? []
      : [`${withinSentence(words)} ${differenceText(value, half95, false)}`];
  });
  return parts.length === 0 ? undefined : `Of the difference: ${parts.join(', ')}.`;
}

/** A bound with the sign of a difference and the digits of its interval. */
function endText(value: number, half: number): string {
  return differenceText(value, half, false);
}

/** `DNS response time` begins with an abbreviation, `Latency` does not. */
export function withinSentence(name: string): string {
  return /^[A-Z][a-z]/.test(name) ? name.charAt(0).toLowerCase() + name.slice(1) : name;
}
