import { isMasked } from './masked.ts';
import type { TestKey } from './test-tables.ts';

/** The definition of a metric. All SQL is over the columns of its test's table. */
export interface Metric {
  readonly key: string;
  /** For people: `Download speed`. */
  readonly name: string;
  /** Further search words: `bufferbloat`. */
  readonly keywords: readonly string[];
  /** Other keys of the same metric, such as `httpgetmt`. */
  readonly aliases: readonly string[];
  readonly unit: MetricUnit;
  /** Which of two values is better for the household; null if neither is, as for traffic. */
  readonly better: Better;
  /** What is measured, and the rule of the prefilter in words. */
  readonly description: string;
  readonly test: TestKey;
  readonly measure: Measure;
  /** SQL condition for a row of the test to be of this metric, with or without a value; '1': all rows are. */
  readonly onlyWhen: string;
  /**
   * SQL condition for a row to be a result of this metric, which needs a value: a failed download has no speed. Applies
   * with and without prefilter.
   */
  readonly existsWhen: string;
  /** The column of its value, if that can be masked: `maskedColumn`. A masked value is no result, but counts in points. */
  readonly masked?: string;
  /** If its rows are statistics that a publisher computed of results that are unknown. */
  readonly stored?: StoredStatistics;
  /**
   * SQL condition for a result to be plausible and reliable. It drops results of a faulty device, never
   * those of a bad line: a loss rate keeps outages.
   */
  readonly prefilter: string;
  /** The test runs once per block of this many hours of the local day: 2 means 0-2, 2-4 ... */
  readonly everyHours: 1 | 2 | 4 | 6;
  /** Splits and filters that only this metric has, by name. */
  readonly ownFields: readonly string[];
  /** Whether chartType `raw` is available. */
  readonly raw: boolean;
}

/** SQL of the statistics of a row besides the mean, which is its value. All but the count may be NULL. */
export interface StoredStatistics {
  readonly count: string;
  readonly lowest: string;
  readonly highest: string;
  /** In the order of the percentiles of a point. */
  readonly percentiles: readonly string[];
}

type Better = 'higher' | 'lower' | null;

type MetricUnit = 'mbps' | 'count' | 'ms' | 's' | '%' | 'MB';

/**
 * A value metric has one number per result. A ratio metric has two, and is the ratio of their sums in
 * percent: 1 failure of 1 query and 0 of 3 is 25 %, not 50 %. That is the mean of the results' ratios,
 * weighted by their denominators. The other statistics use the same weights; see docs/statistics.md.
 */
type Measure =
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'ratio'; readonly numerator: string; readonly denominator: string };

interface Common {
  readonly key: string;
  readonly name: string;
  readonly keywords: readonly string[];
  readonly aliases?: readonly string[];
  readonly description: string;
  readonly test: TestKey;
  readonly prefilter: string;
  /** The condition in words, after "The prefilter". */
  readonly prefilterRule: string;
  /** Default: every hour. */
  readonly everyHours?: Metric['everyHours'];
  /** Default: none. */
  readonly ownFields?: readonly string[];
  /** If the metric is of some rows of the test only. */
  readonly onlyWhen?: string;
}

interface ValueDefinition extends Common {
  readonly unit: MetricUnit;
  readonly better: Better;
  readonly value: string;
  /** When a row of the metric has a value. Default: if the test succeeded. */
  readonly existsWhen?: string;
  readonly masked?: string;
  readonly stored?: StoredStatistics;
}

export function metric(definition: ValueDefinition): Metric {
  const { value, unit, better, existsWhen = 'successes > 0', ...rest } = definition;
  const measure = { kind: 'value', value } as const;
  const isShown =
    rest.masked === undefined ? existsWhen : `${existsWhen} AND NOT ${isMaskedValue(rest.masked)}`;
  return { ...common(rest, isShown), unit, better, measure, raw: rest.stored === undefined };
}

/** SQL of whether a value is only a bound. */
export function isMaskedValue(column: string): string {
  return `(${isMasked(column, 'above')} OR ${isMasked(column, 'below')})`;
}

/** A failure or loss rate in percent. Not available raw, because a single result has no rate. */
export function failureRate(definition: Common): Metric {
  const measure = { kind: 'ratio', numerator: 'failures', denominator: attempts } as const;
  const rate = common(definition, `${attempts} > 0`);
  return { ...rate, unit: '%', better: 'lower', measure, raw: false };
}

const attempts = '(successes + failures)';

function common({ prefilterRule, ...rest }: Common, hasValue: string) {
  const { description, onlyWhen = '1' } = rest;
  return {
    aliases: [],
    everyHours: 1 as const,
    ownFields: [],
    ...rest,
    onlyWhen,
    existsWhen: onlyWhen === '1' ? hasValue : `${hasValue} AND ${onlyWhen}`,
    description: `${description}. The prefilter ${prefilterRule}.`,
  };
}
