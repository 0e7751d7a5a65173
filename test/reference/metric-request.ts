import type { Aggregation } from './bucket.ts';

/** The body of POST /metric_data. */
export interface MetricRequest {
  readonly metric: string;
  readonly chartType: 'raw' | 'aggregate';
  readonly aggregation?: Aggregation;
  readonly normalised: boolean;
  readonly prefilter: boolean;
  readonly agent_agg?: boolean;
  readonly splits?: readonly string[];
  readonly filters?: readonly RequestFilter[];
  readonly time: { readonly from: string; readonly to: string };
  readonly knownAt?: string;
}

export interface RequestFilter {
  readonly id: string;
  readonly filterType: string | number;
  readonly filterValues: readonly string[];
}
