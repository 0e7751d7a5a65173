import type { AggregatedPoint } from '../../../../openapi/client/index.ts';
import { count } from '../dom/number-text.ts';
import { type Estimate, estimateOf } from '../series/estimate.ts';
import { isAggregated, isShown, type Series } from '../series/series.ts';
import type { ChartParts } from '../chart/chart-parts.ts';

/** The only point of a series of totals. */
export interface Total extends Estimate {
  readonly series: Series;
  readonly point: AggregatedPoint;
}

type TotalParts = Pick<ChartParts, 'query' | 'metric' | 'display'>;

/** The totals of the series that are shown, without suppressed ones. */
export function shownTotals(all: readonly Series[], parts: TotalParts): readonly Total[] {
  return all
    .filter((series) => isShown(series, parts.display))
    .flatMap((series) => totalOf(series, parts) ?? []);
}

/** Undefined if it is suppressed. */
export function totalOf(series: Series, parts: TotalParts): Total | undefined {
  const [point] = series.points;
  if (point === undefined || !isAggregated(point)) return undefined;
  const estimate = estimateOf(point, parts);
  return estimate && { series, point, ...estimate };
}

/** For a sort; the highest first if neither is better. */
export function bestFirst({ metric }: Pick<ChartParts, 'metric'>): (a: Total, b: Total) => number {
  return metric.better === 'lower' ? (a, b) => a.value - b.value : (a, b) => b.value - a.value;
}

export function countsOf({ sampleCount, agentCount }: AggregatedPoint): string {
  // Of published percentiles the households are unknown.
  const isKnown = (agentCount as number | null) !== null;
  const households = isKnown ? ` · ${count(agentCount)} households` : '';
  return `${count(sampleCount)} results${households}`;
}
