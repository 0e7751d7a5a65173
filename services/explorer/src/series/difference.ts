import type { MetricPoint } from '../../../../openapi/client/index.ts';
import type { DisplayOptions } from '../state/view-state.ts';
import { isAggregated, isShown, type Series } from './series.ts';

/** A series and its other side. */
export interface Compared {
  readonly series: Series;
  readonly here: number | null;
  readonly there: number | null;
  /** Here less there; null if a side has no value, or if it is hidden. */
  readonly difference: number | null;
  /** Half of the 95 % interval of the difference; null if it was not tested. */
  readonly half95: number | null;
  /** Adjusted for all series of the response, if there are several. */
  readonly p: number | null;
  /** Why there is no `p`. */
  readonly reason: Reason | null;
  /** On either side; null if that is hidden. */
  readonly households: number | null;
  readonly point: MetricPoint;
}

export type Reason = NonNullable<NonNullable<MetricPoint['difference']>['reason']>;

/** The compared series that are shown, with those that have no difference. */
export function shownComparisons(
  all: readonly Series[],
  display: DisplayOptions,
): readonly Compared[] {
  return all.filter((series) => isShown(series, display)).flatMap((one) => comparedOf(one) ?? []);
}

function comparedOf(series: Series): Compared | undefined {
  const [first] = series.points;
  if (first === undefined || !isAggregated(first)) return undefined;
  const point: MetricPoint = first;
  const { difference = {}, compared = {}, households = {} } = point;
  const { both = null, onlyHere = null, onlyThere = null } = households;
  const isHidden = both === null || onlyHere === null || onlyThere === null;
  return {
    series,
    here: point.metricValue ?? null,
    there: compared.metricValue ?? null,
    difference: difference.metricValue ?? null,
    half95: difference.ci95 ?? null,
    p: difference.pAdjusted ?? difference.p ?? null,
    reason: difference.reason ?? null,
    households: isHidden ? null : both + onlyHere + onlyThere,
    point,
  };
}

/** Whether the difference is more than chance: one of twenty such statements is expected to be wrong. */
export function isMoreThanChance({ p }: Compared): boolean {
  return p !== null && p < 0.05;
}

/** The reasons in words. */
export const reasonWords: Readonly<Record<Reason, string>> = {
  suppressed: 'hidden, because too few households are on a side',
  noComparedValue: 'not compared, because a side has no results',
  masked: 'not compared, because the publisher has masked values of a side',
  preAggregated: 'not tested, because only percentiles were published',
  fewHouseholds: 'not tested, because a side has fewer than two households',
  noReplicates: 'not tested, because a side has no replicate weights, or another number of them',
  noVariance: 'not tested, because the values do not vary',
};
