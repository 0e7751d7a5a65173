import { type BenchPanel, rangeOf } from './bench-panel.ts';

export interface MetricRequest {
  readonly metric: 'httpget';
  readonly chartType: 'raw' | 'aggregate';
  readonly aggregation?: string;
  readonly normalised: boolean;
  readonly prefilter: boolean;
  readonly splits?: readonly string[];
  readonly filters?: readonly object[];
  readonly method?: string;
  readonly household?: object;
  readonly relativeTo?: string;
  readonly weight?: string;
  readonly consistent?: object;
  readonly shares?: object;
  readonly householdIntervals?: boolean;
  readonly compare?: object;
  readonly time: { readonly from: string; readonly to: string };
}

export type Shape = Omit<MetricRequest, 'time'>;

const aggregate = {
  metric: 'httpget',
  chartType: 'aggregate',
  normalised: false,
  prefilter: false,
} as const;

export const dailyByIsp: Shape = { ...aggregate, aggregation: 'daily', splits: ['isp'] };

/** Typical queries, from the simplest to the most expensive. */
export const shapes: Readonly<Record<string, Shape>> = {
  'one number': { ...aggregate, aggregation: 'total' },
  'daily by ISP': dailyByIsp,
  'hour of day by package': {
    ...aggregate,
    aggregation: 'hour_of_day',
    prefilter: true,
    splits: ['package'],
  },
  'hourly, two ISPs': {
    ...aggregate,
    aggregation: 'hourly',
    filters: [{ id: 'isp', filterType: 'include', filterValues: ['Northwave', 'Harbour'] }],
  },
  'weekly by tier, normalised': {
    ...aggregate,
    aggregation: 'weekly',
    normalised: true,
    splits: ['tier'],
  },
};

export function requestOver(panel: BenchPanel, shape: Shape, rows: number): MetricRequest {
  return { ...shape, time: rangeOf(panel, rows) };
}
