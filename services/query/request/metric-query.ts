import type { Aggregation } from '../../catalog/aggregations.ts';
import type { Field } from '../../catalog/field.ts';
import type { Metric } from '../../catalog/metric.ts';
import type { Warning } from '../../shared/errors/warnings.ts';

/** A parsed request for metric data: names resolved, values validated, defaults set. */
export type MetricQuery = RawMetricQuery | AggregateMetricQuery;

interface RawMetricQuery extends MetricQueryBase {
  readonly chartType: 'raw';
}

export interface AggregateMetricQuery extends MetricQueryBase {
  readonly chartType: 'aggregate';
  readonly aggregation: Aggregation;
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
  readonly time: { readonly from: TimeBound; readonly to: TimeBound };
  readonly warnings: readonly Warning[];
}

/** A result must match all filters, and any of the values of each. */
export interface MetricFilter {
  readonly field: Field;
  readonly mode: 'include' | 'exclude';
  readonly values: readonly string[];
}

/** Inclusive, to the second: a range that ends at 10:00:00 includes a result at 10:00:00.500. */
export type TimeBound =
  /** The agent's local time, as `2026-01-31 13:00:00`. */
  | { readonly kind: 'local'; readonly clock: string }
  /** An instant, the same for all agents, in UTC, as `2026-01-31 13:00:00`. */
  | { readonly kind: 'instant'; readonly utc: string };
