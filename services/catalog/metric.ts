import type { TestKey } from './test-tables.ts';

/** The definition of a metric. All SQL is over the columns of its test's table. */
export interface Metric {
  readonly key: string;
  /** For people: `Download speed`. */
  readonly name: string;
  /** Words by which people search for it, besides its name and description: `bufferbloat`. */
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
   * SQL condition for a row to be a result of this metric: it is of the metric and has a value. A failed download has no
   * speed. Applies with and without prefilter.
   */
  readonly existsWhen: string;
  /**
   * SQL condition for a result to be plausible and reliable. It drops results of a faulty device, never
   * those of a bad line: a loss rate keeps outages.
   */
  readonly prefilter: string;
  /** The test runs once per block of so many hours of the local day: 2 means 0-2, 2-4 ... */
  readonly everyHours: 1 | 2 | 4 | 6;
  /** Splits and filters that only this metric has, by name. */
  readonly ownFields: readonly string[];
  /** Whether chartType `raw` is available. */
  readonly raw: boolean;
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
  readonly everyHours: Metric['everyHours'];
  readonly ownFields: readonly string[];
  /** If the metric is of some rows of the test only. */
  readonly onlyWhen?: string;
}

interface ValueDefinition extends Common {
  readonly unit: MetricUnit;
  readonly better: Better;
  readonly value: string;
  /** When a row of the metric has a value. */
  readonly existsWhen: string;
}

interface RateDefinition extends Common {
  readonly numerator: string;
  readonly denominator: string;
}

export function metric(definition: ValueDefinition): Metric {
  const { value, aliases = [], prefilterRule, existsWhen, onlyWhen, ...rest } = definition;
  return {
    ...rest,
    ...existence(existsWhen, onlyWhen),
    aliases,
    description: described(definition.description, prefilterRule),
    measure: { kind: 'value', value },
    raw: true,
  };
}

/** A failure or loss rate in percent. Not available raw, because a single result has no rate. */
export function failureRate(definition: RateDefinition): Metric {
  const { numerator, denominator, onlyWhen, aliases = [], prefilterRule, ...rest } = definition;
  return {
    ...rest,
    ...existence(`${denominator} > 0`, onlyWhen),
    aliases,
    description: described(definition.description, prefilterRule),
    unit: '%',
    better: 'lower',
    measure: { kind: 'ratio', numerator, denominator },
    raw: false,
  };
}

function existence(hasValue: string, onlyWhen = '1'): Pick<Metric, 'onlyWhen' | 'existsWhen'> {
  return { onlyWhen, existsWhen: onlyWhen === '1' ? hasValue : `${hasValue} AND ${onlyWhen}` };
}

function described(description: string, prefilterRule: string): string {
  return `${description}. The prefilter ${prefilterRule}.`;
}
