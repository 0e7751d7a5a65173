import type { Aggregation } from '../../catalog/aggregations.ts';
import type { Field } from '../../catalog/field.ts';
import type { Metric } from '../../catalog/metric.ts';

/** What a request for metric data means: names resolved, values checked, defaults filled in. */
export type MetricQuery = RawMetricQuery | AggregateMetricQuery;

export interface RawMetricQuery extends MetricQueryBase {
  readonly chartType: 'raw';
}

export interface AggregateMetricQuery extends MetricQueryBase {
  readonly chartType: 'aggregate';
  readonly aggregation: Aggregation;
}

interface MetricQueryBase {
  readonly organisationId: number;
  readonly metric: Metric;
  /** Like agentAgg, without effect on raw. */
  readonly normalised: boolean;
  readonly prefilter: boolean;
  readonly agentAgg: boolean;
  readonly splits: readonly Field[];
  readonly filters: readonly MetricFilter[];
  readonly time: { readonly from: TimeBound; readonly to: TimeBound };
}

/** All filters must hold; the values of one are alternatives. */
export interface MetricFilter {
  readonly field: Field;
  readonly mode: 'include' | 'exclude';
  readonly values: readonly string[];
}

/** Included, to the second: a result at 10:00:00.500 is within a range that ends at 10:00:00. */
export type TimeBound =
  /** What the agent's own clock showed, as `2026-01-31 13:00:00`. */
  | { readonly kind: 'local'; readonly clock: string }
  /** A moment, the same for all agents, in UTC, as `2026-01-31 13:00:00`. */
  | { readonly kind: 'instant'; readonly utc: string };
