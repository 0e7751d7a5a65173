import type { Aggregation } from '../../catalog/aggregations.ts';
import type { Field } from '../../catalog/field.ts';
import type { Metric } from '../../catalog/metric.ts';
import type { Warning } from '../../shared/errors/warnings.ts';
import type { LocalWindow, Report } from './report/report.ts';

/** A parsed request for metric data: names resolved, values validated, defaults set. */
export type MetricQuery = RawMetricQuery | AggregateMetricQuery;

interface RawMetricQuery extends MetricQueryBase {
  readonly chartType: 'raw';
}

export interface AggregateMetricQuery extends MetricQueryBase {
  readonly chartType: 'aggregate';
  readonly aggregation: Aggregation;
  /** Absent: the statistics of results, or of the means of agents. */
  readonly report?: Report;
  /** The caller's privacy floor, or the request's minAgents if that is larger. Absent: the caller has none. */
  readonly floor?: number;
}

interface MetricQueryBase {
  readonly organisationId: number;
  readonly metric: Metric;
  /** Like agentAgg, has no effect on raw data. */
  readonly normalised: boolean;
  readonly prefilter: boolean;
  readonly agentAgg: boolean;
  readonly splits: readonly Field[];
  readonly filters: readonly MetricFilter[];
  /** At least one. A result of several ranges counts once. */
  readonly times: readonly TimeRange[];
  readonly window?: LocalWindow;
  /** The field that excludes agents from metrics. Absent: the organisation does not have it. */
  readonly exclusions?: Field;
  /** Absent: the metadata as it is recorded now. */
  readonly knownAt?: KnownAt;
  readonly warnings: readonly Warning[];
}

/** The metadata as it was recorded at a moment. */
export interface KnownAt {
  readonly moment: Date;
  /** The organisation's last change up to the moment, which is the same for many moments; 0: none. */
  readonly changeId: number;
}

/** A result must match all filters, and any of the values of each. */
export interface MetricFilter {
  readonly field: Field;
  readonly mode: 'include' | 'exclude';
  readonly values: readonly string[];
}

export interface TimeRange {
  readonly from: TimeBound;
  readonly to: TimeBound;
}

/** The buckets that start at or after `from` and before `before`, as `2026-01-31` or `2026-01-31T13:00:00`. */
export interface BucketRange {
  readonly from: string;
  readonly before: string;
}

/** Inclusive, to the second: a range that ends at 10:00:00 includes a result at 10:00:00.500. */
export type TimeBound =
  /** The agent's local time, as `2026-01-31 13:00:00`. */
  | { readonly kind: 'local'; readonly clock: string }
  /** An instant, the same for all agents, in UTC, as `2026-01-31 13:00:00`. */
  | { readonly kind: 'instant'; readonly utc: string };
