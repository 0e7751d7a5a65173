import type { Aggregation } from '../../catalog/aggregations.ts';
import type { Field } from '../../catalog/field.ts';
import type { Metric } from '../../catalog/metric.ts';
import type { Warning } from '../../shared/errors/warnings.ts';
import type { Report } from './fields/report-fields.ts';
import type { KnownAt, LocalWindow, MetricFilter, TimeRange } from './selection.ts';

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
