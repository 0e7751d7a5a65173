import type { MetricQuery } from '../../../../openapi/client/index.ts';
import type { DataApi } from '../api/data-api.ts';
import { estimateOf } from '../series/estimate.ts';
import { isAggregated, type Series, toSeries } from '../series/series.ts';
import type { DisplayOptions } from '../state/view-state.ts';
import type { QueryResponse } from './query-response.ts';

/**
 * The series by their value, highest or lowest first. A series of several points is ranked by its value over the whole
 * range, which is another request: the mean of its points would be another number.
 */
export async function rankedSeries(
  api: DataApi,
  response: QueryResponse,
  display: DisplayOptions,
  signal: AbortSignal,
): Promise<readonly Series[]> {
  const { series, query, request } = response;
  const { rank } = display;
  if (rank === undefined) return series;
  const isTotal = request.aggregation === 'total';
  const totals = isTotal ? series : toSeries(await totalsOf(), query.splits);
  const values = new Map(totals.map((one) => [one.key, valueOf(one)]));
  const sign = rank.end === 'top' ? -1 : 1;
  // Series without a value come last.
  const rankOf = ({ key }: Series) => sign * (values.get(key) ?? -sign * Infinity);
  return series
    .toSorted((a, b) => compare(rankOf(a), rankOf(b)))
    .map((one, index) => ({ ...one, index }));

  async function totalsOf() {
    const body: MetricQuery = { ...request, chartType: 'aggregate', aggregation: 'total' };
    delete body.coverage;
    return (await api.metricData(body, signal)).data;
  }

  function valueOf({ points: [point] }: Series): number | undefined {
    if (point === undefined || !isAggregated(point)) return undefined;
    return estimateOf(point, { ...response, display })?.value;
  }
}

/** Infinity less itself is not a number. */
function compare(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1;
}
