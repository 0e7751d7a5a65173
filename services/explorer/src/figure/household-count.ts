import type { MetricPoint, MetricQuery } from '../../../../openapi/client/index.ts';
import type { DataApi } from '../api/data-api.ts';
import type { QueryResponse } from '../results/query-response.ts';
import { isShown, otherKey, type Series } from '../series/series.ts';
import type { DisplayOptions } from '../state/view-state.ts';

/**
 * The households of a figure: one request for the whole range without splits, because a household may be in several
 * buckets and series. Undefined if they are unknown, or if only some of the series of several splits are shown.
 */
export async function householdCount(
  api: DataApi,
  response: QueryResponse,
  display: DisplayOptions,
): Promise<number | undefined> {
  const filters = shownFilters(response, display);
  if (filters === undefined) return undefined;
  const { request } = response;
  const { compare, ...others } = request;
  const body = {
    ...others,
    chartType: 'aggregate',
    aggregation: 'total',
    splits: [],
    filters: [...(request.filters ?? []), ...filters],
    ...(compare === undefined || compare?.to === 'rest' ? {} : { compare }),
  } as MetricQuery;
  delete body.shares;
  delete body.coverage;
  try {
    const { data } = await api.metricData(body, new AbortController().signal);
    return householdsOf(data[0]?.metricData[0]);
  } catch {
    return undefined;
  }
}

function householdsOf(point: MetricPoint | undefined): number | undefined {
  const { both, onlyHere, onlyThere } = point?.households ?? {};
  if (both != null && onlyHere != null && onlyThere != null) return both + onlyHere + onlyThere;
  return point?.agentCount ?? undefined;
}

/** Of the series that are hidden: none if all are shown. */
function shownFilters(
  { query, series }: QueryResponse,
  display: DisplayOptions,
): NonNullable<MetricQuery['filters']> | undefined {
  const shown = series.filter((one) => isShown(one, display));
  const isAll = shown.length === series.length || shown.some(({ key }) => key === otherKey);
  if (isAll || query.view === 'map') return [];
  const [split, ...more] = query.splits;
  if (split === undefined || more.length > 0) return undefined;
  const valuesOf = (all: readonly Series[]) =>
    all.map(({ key }) => (JSON.parse(key) as readonly unknown[])[0]);
  const values = valuesOf(shown);
  if (!values.includes(null)) {
    return [{ id: split, filterType: 'include', filterValues: values.map(String) }];
  }
  // Results without a value cannot be included, but are kept by a filter that excludes others.
  const hidden = valuesOf(series.filter((one) => !isShown(one, display)));
  return [{ id: split, filterType: 'exclude', filterValues: hidden.map(String) }];
}
