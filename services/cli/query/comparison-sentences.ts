import { comparisonReasons } from '../../catalog/comparison.ts';
import { printable } from '../terminal/display-width.ts';
import type { Row } from './result-rows.ts';
import { cellText, rowsBySeries, shortNumber } from './result-table.ts';

/** A difference with a lower p, adjusted if the response has several tests, is called significant. */
const significanceLevel = 0.05;

/** A sentence per series: about its only point, or about how many of its buckets differ. */
export function comparisonSentences(
  rows: readonly Row[],
  splits: readonly string[],
): readonly string[] {
  const hasBuckets = rows.some((row) => bucketOf(row) !== undefined);
  return [...rowsBySeries(rows, splits)].flatMap(([name, own]) =>
    (hasBuckets ? [aboutBuckets(own)] : own.map(aboutPoint)).map((text) => `${name}: ${text}`),
  );
}

function bucketOf({ dtime, aggregatedNumber }: Row): Row[string] | undefined {
  return dtime ?? aggregatedNumber;
}

interface Test {
  readonly row: Row;
  readonly difference: number;
  readonly ci95: number;
  readonly p: number;
  readonly pAdjusted: number | null;
}

/** Undefined if the difference of the row has not been tested. */
function testOf(row: Row): Test | undefined {
  const [difference, ci95, p] = [
    numberOf(row, 'differenceMetricValue'),
    numberOf(row, 'differenceCi95'),
    numberOf(row, 'differenceP'),
  ];
  if (difference === null || ci95 === null || p === null) return undefined;
  return { row, difference, ci95, p, pAdjusted: numberOf(row, 'differencePAdjusted') };
}

function numberOf(row: Row, column: string): number | null {
  const value = row[column];
  return typeof value === 'number' ? value : null;
}

function isSignificant({ p, pAdjusted }: Test): boolean {
  return (pAdjusted ?? p) < significanceLevel;
}

function aboutPoint(row: Row): string {
  const test = testOf(row);
  const [here, there] = [valueOf(row.metricValue), valueOf(row.comparedMetricValue)];
  if (test === undefined) {
    return row.differenceReason === 'noComparedValue'
      ? `${here} here, ${there} there.`
      : `not tested: ${reasonOf(row)}.`;
  }
  const { difference, ci95 } = test;
  const bounds = [difference - ci95, difference + ci95].map(shortNumber).join(' to ');
  const tested = `95 % interval ${bounds}, ${probability(test)}`;
  if (!isSignificant(test)) {
    return `no significant difference: ${here} against ${there}, difference ${shortNumber(difference)}, ${tested}.`;
  }
  return `${here}, ${amount(test)} than ${there}; ${tested}, ${householdsOf(row)}.`;
}

function valueOf(value: Row[string] | undefined): string {
  return typeof value === 'number' ? shortNumber(value) : 'no value';
}

/** `4.2 (5 %) more`. */
function amount({ row, difference }: Test): string {
  const percent = numberOf(row, 'differencePercent');
  const inPercent = percent === null ? '' : ` (${shortNumber(Math.abs(percent))} %)`;
  return `${shortNumber(Math.abs(difference))}${inPercent} ${difference < 0 ? 'less' : 'more'}`;
}

/** `p = 0.008 (adjusted 0.02)`, `p < 0.001`. */
function probability({ p, pAdjusted }: Test): string {
  const shown = (value: number) => (value < 0.001 ? '< 0.001' : `= ${shortNumber(value)}`);
  const adjusted = pAdjusted === null ? '' : ` (adjusted ${shown(pAdjusted).replace('= ', '')})`;
  return `p ${shown(p)}${adjusted}`;
}

function householdsOf(row: Row): string {
  const [both, onlyHere, onlyThere] = ['Both', 'OnlyHere', 'OnlyThere'].map((place) =>
    cellText(row[`households${place}`]),
  );
  const noun = both === '1' ? 'household' : 'households';
  return `${both} ${noun} on both sides, ${onlyHere} only here, ${onlyThere} only there`;
}

function reasonOf(row: Row): string {
  const { differenceReason: reason, metricValue, comparedMetricValue } = row;
  if (reason === 'noComparedValue' && metricValue !== comparedMetricValue) {
    return `no value ${metricValue === null ? 'here' : 'there'}`;
  }
  const known: Readonly<Record<string, string>> = comparisonReasons;
  return known[String(reason)] ?? printable(String(reason));
}

/** The p of buckets are adjusted over the whole response, so that they can be counted. */
function aboutBuckets(rows: readonly Row[]): string {
  const tests = rows.map(testOf).filter((test) => test !== undefined);
  const untested = rows.filter((row) => testOf(row) === undefined);
  const reasons = [...new Set(untested.map(reasonOf))].join('; ');
  const buckets = rows.length === 1 ? '1 bucket' : `${rows.length} buckets`;
  if (tests.length === 0) return `none of ${buckets} tested: ${reasons}.`;
  const rest = untested.length === 0 ? '' : `; ${untested.length} not tested: ${reasons}`;
  const significant = tests.filter(isSignificant);
  const size = (test: Test) => Math.abs(test.difference);
  const [largest] = [...significant].sort((a, b) => size(b) - size(a));
  if (largest === undefined) return `no significant difference in ${buckets}${rest}.`;
  const higher = significant.filter(({ difference }) => difference > 0).length;
  const directions = `${higher} higher, ${significant.length - higher} lower`;
  const verb = significant.length === 1 ? 'differs' : 'differ';
  const place = cellText(bucketOf(largest.row));
  return `${significant.length} of ${buckets} ${verb} significantly: ${directions}, most in ${place}: ${amount(largest)}${rest}.`;
}
