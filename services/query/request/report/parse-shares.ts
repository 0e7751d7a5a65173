import type { Problems } from '../../../shared/errors/problems.ts';
import { isObject, warnOfUnknownFields } from '../request-body.ts';
import { percentOf } from './numbers.ts';
import type { Consistent, OverBuckets, Shares } from './report.ts';

const maxThresholds = 20;
const example = '[25, 50, 100]';

/** A list of thresholds for households, or an object that says what is counted. */
export function parseShares(shares: unknown, problems: Problems): Shares | null {
  if (shares === undefined || shares === null) return null;
  if (Array.isArray(shares)) return withThresholds(shares, 'shares', 'households', problems);
  if (!isObject(shares)) {
    return problems.add('shares', `Send a list of thresholds, such as ${example}.`);
  }
  warnOfUnknownFields(shares, ['thresholds', 'of'], 'shares', problems.warnings);
  const of = shares.of ?? 'households';
  if (of !== 'households' && of !== 'results') {
    return problems.add('shares[of]', 'Send "households" or "results".');
  }
  return withThresholds(shares.thresholds, 'shares[thresholds]', of, problems);
}

function withThresholds(
  thresholds: unknown,
  path: string,
  of: Shares['of'],
  problems: Problems,
): Shares | null {
  const isList = Array.isArray(thresholds) && thresholds.length > 0;
  if (!isList || thresholds.length > maxThresholds) {
    return problems.add(path, `Send 1 to ${maxThresholds} thresholds, such as ${example}.`);
  }
  const numbers = thresholds.filter(isFinite);
  if (numbers.length < thresholds.length) {
    return problems.add(path, `Send numbers in the unit of the metric, such as ${example}.`);
  }
  return { thresholds: [...new Set(numbers)].sort((a, b) => a - b), of };
}

function isFinite(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

export function parseConsistent(consistent: unknown, problems: Problems): Consistent | null {
  if (consistent === undefined || consistent === null) return null;
  const path = 'consistent';
  const sendBoth = 'Send two percentiles, such as { "households": 20, "results": 20 }.';
  if (!isObject(consistent)) return problems.add(path, sendBoth);
  warnOfUnknownFields(consistent, ['households', 'results'], path, problems.warnings);
  const percent = (name: 'households' | 'results') =>
    percentOf(consistent[name]) ??
    problems.add(`${path}[${name}]`, 'Send a percentile: a number from 0 to 100.');
  const [households, results] = [percent('households'), percent('results')];
  return households === null || results === null ? null : { households, results };
}

export function parseOverBuckets(overBuckets: unknown, problems: Problems): OverBuckets | null {
  if (overBuckets === undefined || overBuckets === null) return null;
  if (overBuckets === 'busiest') return { kind: 'busiest' };
  const atLeast = isObject(overBuckets) ? overBuckets.atLeast : undefined;
  if (!isObject(overBuckets) || !isFinite(atLeast)) {
    return problems.add(
      'overBuckets',
      'Send "busiest", or a threshold in the unit of the metric, such as { "atLeast": 90 }.',
    );
  }
  warnOfUnknownFields(overBuckets, ['atLeast'], 'overBuckets', problems.warnings);
  return { kind: 'share', atLeast };
}
