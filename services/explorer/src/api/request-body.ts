import type { Question } from '../state/view-state.ts';

/** A question in the contract's spelling; the same body for data, explanation and export. */
export function requestBody(question: Question) {
  const { metric, aggregation, splits, filters, from, to } = question;
  return {
    metric,
    ...(aggregation === 'raw'
      ? { chartType: 'raw' as const }
      : { chartType: 'aggregate' as const, aggregation }),
    normalised: question.normalised,
    prefilter: question.prefilter,
    ...(question.agentAgg ? { agent_agg: true } : {}),
    ...(splits.length > 0 ? { splits } : {}),
    ...(filters.length > 0
      ? {
          filters: filters.map(({ id, mode, values }) => ({
            id,
            filterType: mode,
            filterValues: values,
          })),
        }
      : {}),
    time: { from, to },
  };
}
