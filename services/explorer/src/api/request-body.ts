import type { MetricQuery } from '../../../../openapi/client/index.ts';
import type { Query } from '../state/view-state.ts';

/** The request body of a query; the same for data, SQL and export. */
export function requestBody(query: Query): MetricQuery {
  const { metric, aggregation, splits, filters, from, to } = query;
  return {
    metric,
    ...(aggregation === 'raw'
      ? { chartType: 'raw' as const }
      : { chartType: 'aggregate' as const, aggregation }),
    normalised: query.normalised,
    prefilter: query.prefilter,
    ...(query.agentAgg ? { agent_agg: true } : {}),
    ...(splits.length > 0 ? { splits: [...splits] } : {}),
    ...(filters.length > 0
      ? {
          filters: filters.map(({ id, mode, values }) => ({
            id,
            filterType: mode,
            filterValues: [...values],
          })),
        }
      : {}),
    time: { from, to },
  };
}
