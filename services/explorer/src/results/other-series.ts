import type { DataApi } from '../api/data-api.ts';
import { count } from '../dom/number-text.ts';
import { isShown, otherKey, type Series, toSeries } from '../series/series.ts';
import type { DisplayOptions } from '../state/view-state.ts';
import { toDrawn, type QueryResponse } from './query-response.ts';

/** Whether a response can have the series of all others: its values can be excluded by one filter. */
export function canHaveOthers(
  { query, series: all }: QueryResponse,
  display: DisplayOptions,
): boolean {
  const isView = !['map', 'change', 'peak'].includes(query.view);
  const series = all.filter(({ key }) => key !== otherKey);
  const shown = series.filter((one) => isShown(one, display));
  return (
    isView &&
    query.splits.length === 1 &&
    shown.length < series.length &&
    shown.length <= mostValues &&
    shown.every(({ key }) => key !== unknownKey)
  );
}

/** Of one filter. */
const mostValues = 50;
const unknownKey = JSON.stringify([null]);

/**
 * All results of the series that are not shown, as one series. Its numbers are those of a request that excludes the
 * shown series: a mean of the means of the others would be another number.
 */
export async function otherSeries(
  api: DataApi,
  response: QueryResponse,
  display: DisplayOptions,
  signal: AbortSignal,
): Promise<Series | undefined> {
  const { query, request, series } = response;
  const [split = ''] = query.splits;
  const shown = series.filter((one) => isShown(one, display));
  const filterValues = shown.map(({ key }) => String((JSON.parse(key) as readonly unknown[])[0]));
  const filters = [
    ...(request.filters ?? []),
    { id: split, filterType: 'exclude' as const, filterValues },
  ];
  const { data } = await api.metricData({ ...request, splits: [], filters }, signal);
  const [all] = toSeries(toDrawn(data, query), []);
  if (all === undefined || all.points.length === 0) return undefined;
  const left = series.length - shown.length;
  const points = all.points.map((point) => ({ ...point, [split]: otherLabel(left) }));
  return { ...all, key: otherKey, index: -1, colourSlot: 6, label: otherLabel(left), points };
}

function otherLabel(left: number): string {
  return `All others together (${count(left)} series)`;
}
