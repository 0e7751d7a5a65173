import type { Field } from '../../../catalog/field.ts';

/** The fields of a request that make its answer a figure of a report. docs/statistics.md defines each. */
export interface Report {
  readonly household?: Household;
  readonly relativeTo?: RelativeTo;
  /** A numeric custom field: the weight of a household. */
  readonly weight?: Field;
  readonly shares?: Shares;
  readonly consistent?: Consistent;
  readonly switchers: Switchers;
  /** A point with fewer agents has no values. 0: no minimum. */
  readonly minAgents: number;
  readonly householdIntervals: boolean;
  readonly overBuckets?: OverBuckets;
  readonly coverage?: Coverage;
}

/** How many results were expected of how many agents. */
export interface Coverage {
  /** Of one agent. */
  readonly resultsPerHour: number;
  /** The time of the request in UTC, `2026-01-31 13:00:00`: later results are not expected. */
  readonly untilUtc: string;
}

/** Local weekdays (1 Monday to 7 Sunday) and hours; all that are not listed if `invert`. */
export interface LocalWindow {
  readonly days: readonly number[];
  readonly hours: readonly number[];
  readonly invert: boolean;
}

/** How the results of a household become one value. */
export interface Household {
  readonly statistic: HouseholdStatistic;
  readonly trim?: Trim;
  /** A household with fewer results or local days is left out. */
  readonly minResults: number;
  readonly minDays: number;
}

export type HouseholdStatistic =
  | { readonly kind: 'mean' | 'min' | 'max' }
  | { readonly kind: 'percentile'; readonly percent: number };

/** Leaves out results below and above two percentiles of the household's own results; null: an open end. */
export interface Trim {
  readonly low: number | null;
  readonly high: number | null;
  /** The results of which the percentiles are computed: all in the range, or only those in the window. */
  readonly over: 'range' | 'window';
}

/** Divides by a numeric custom field, in percent. */
export interface RelativeTo {
  readonly field: Field;
  readonly of: 'result' | 'household';
}

/** Ascending thresholds, and what is counted at or above them. */
export interface Shares {
  readonly thresholds: readonly number[];
  readonly of: 'results' | 'households';
}

/** A percentile over households of a percentile of each household's results: 20 and 20 are the FCC's 80/80. */
export interface Consistent {
  readonly households: number;
  readonly results: number;
}

/** What becomes of a household that changed its ISP or package within the range. */
export type Switchers = 'asOf' | 'longest' | 'drop';

/** A second aggregation, over the buckets of a series. */
export type OverBuckets =
  /** The bucket with the worst value: the lowest speed, the highest latency or traffic. */
  | { readonly kind: 'busiest' }
  /** The share of buckets whose value is at least this. */
  | { readonly kind: 'share'; readonly atLeast: number };
