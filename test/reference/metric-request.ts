import type { Aggregation } from './bucket.ts';
import type { IntervalFields } from './household-intervals.ts';

/** The body of POST /metric_data. */
export interface MetricRequest extends IntervalFields {
  readonly metric: string;
  readonly chartType: 'raw' | 'aggregate';
  readonly aggregation?: Aggregation;
  readonly normalised: boolean;
  readonly prefilter: boolean;
  readonly agent_agg?: boolean;
  readonly splits?: readonly string[];
  readonly filters?: readonly RequestFilter[];
  readonly time: RequestRange;
  /** Sent instead of `time`. */
  readonly times?: readonly RequestRange[];
  readonly knownAt?: string;
  readonly window?: RequestWindow;
  readonly household?: RequestHousehold;
  readonly relativeTo?: string | { readonly field: string; readonly of?: 'result' | 'household' };
  readonly weight?: string;
  readonly consistent?: { readonly households: number; readonly results: number };
  readonly switchers?: 'asOf' | 'longest' | 'drop';
  readonly weightReplicates?: boolean;
  readonly minAgents?: number;
  readonly overBuckets?: 'busiest' | { readonly busiest: true } | { readonly atLeast: number };
  readonly coverage?: true | { readonly resultsPerHour?: number };
  readonly compare?: RequestComparison;
}

/** What the other side has in place of the fields of the request, and which households count. */
export interface RequestComparison {
  readonly time?: RequestRange;
  readonly times?: readonly RequestRange[];
  readonly filters?: readonly RequestFilter[];
  readonly window?: RequestWindow;
  readonly knownAt?: string;
  readonly to?: 'rest';
  readonly agents?: 'all' | 'both';
}

/** How the results of a household become one value; undefined if they do not. */
export function householdOf({ household, agent_agg }: MetricRequest): RequestHousehold | undefined {
  return household ?? (agent_agg === true ? { statistic: 'mean' } : undefined);
}

export interface RequestRange {
  readonly from: string;
  readonly to: string;
}

export interface RequestWindow {
  readonly days?: readonly string[];
  readonly hours?: readonly number[];
  readonly invert?: boolean;
}

interface RequestHousehold {
  readonly statistic: string;
  readonly trim?: readonly [number | null, number | null];
  readonly trimOver?: 'window' | 'range';
  readonly minResults?: number;
  readonly minDays?: number;
}

export interface RequestFilter {
  readonly id: string;
  readonly filterType: string | number;
  readonly filterValues: readonly string[];
}
