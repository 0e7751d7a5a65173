import type { AggregatedPoint } from '../../../../openapi/client/index.ts';
import { count } from '../dom/number-text.ts';
import { halfWidth, isAggregated, isShown, type Series } from '../series/series.ts';
import type { ChartParts } from '../chart/chart-parts.ts';
import type { DisplayOptions } from '../state/view-state.ts';

/** The only point of a series of totals. */
export interface Total {
  readonly series: Series;
  readonly point: AggregatedPoint;
  readonly value: number;
  /** Half of the interval; null without one. */
  readonly half: number | null;
}

/** The totals of the series that are shown, without suppressed ones. */
export function shownTotals(
  all: readonly Series[],
  { display }: Pick<ChartParts, 'display'>,
): readonly Total[] {
  return all
    .filter((series) => isShown(series, display))
    .flatMap((series) => totalOf(series, display) ?? []);
}

/** Undefined if it is suppressed. */
export function totalOf(series: Series, display: DisplayOptions): Total | undefined {
  const [point] = series.points;
  if (point === undefined || !isAggregated(point) || point.metricValue === null) return undefined;
  const half = display.band === 'off' ? null : halfWidth(point, display.band);
  return { series, point, value: point.metricValue, half };
}

/** For a sort; the highest first if neither is better. */
export function bestFirst({ metric }: Pick<ChartParts, 'metric'>): (a: Total, b: Total) => number {
  return metric.better === 'lower' ? (a, b) => a.value - b.value : (a, b) => b.value - a.value;
}

export function countsOf({ sampleCount, agentCount }: AggregatedPoint): string {
  // Of published percentiles the agents are unknown.
  const agents = (agentCount as number | null) === null ? '' : ` · ${count(agentCount)} agents`;
  return `${count(sampleCount)} results${agents}`;
}

export function lowOf({ value, half }: Total): number | null {
  return half === null ? null : value - half;
}

export function highOf({ value, half }: Total): number | null {
  return half === null ? null : value + half;
}
