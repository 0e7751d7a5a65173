export interface Metric {
  readonly key: string;
  readonly unit: string;
  readonly description: string;
  readonly aliases: readonly string[];
  readonly chartTypes: readonly ('raw' | 'aggregate')[];
}

export interface Field {
  readonly id: string;
  readonly description: string;
  readonly custom: boolean;
  /** Keys of the metrics that have it. */
  readonly metrics: readonly string[];
  /** Path of its values. */
  readonly values: string;
}

export interface AggregatedPoint {
  readonly metricValue: number | null;
  readonly dtime?: string;
  readonly aggregatedNumber?: number;
  readonly stdDev: number | null;
  readonly sampleCount: number;
  readonly agentCount: number;
  readonly unitCount: number;
  readonly ci90: number | null;
  readonly ci95: number | null;
  readonly ci99: number | null;
  readonly min: number | null;
  readonly max: number | null;
  readonly median: number | null;
  readonly percentiles: Readonly<Record<string, number | null>>;
}

export interface RawPoint {
  readonly metricValue: number;
  readonly dtime: string;
  readonly agent: string;
  readonly unit: string | null;
}

export type Point = (AggregatedPoint | RawPoint) & Readonly<Record<string, unknown>>;

export interface SeriesOfPoints {
  readonly metricData: readonly Point[];
}

export interface ExplainedQuery {
  readonly inlined: string;
  readonly estimate: { readonly rows: number; readonly bytes: number };
}

export interface ExportState {
  readonly id: string;
  readonly status: 'running' | 'done' | 'failed' | 'cancelled' | 'expired';
  readonly rows: number;
  readonly bytes: number;
  readonly percent: number | null;
  readonly failure?: { readonly message: string };
  readonly url?: string;
}
