import { as, type Step } from '../../../shared/sql/select.ts';
import type { AggregateMetricQuery } from '../../request/metric-query.ts';
import { allOf, isFirst, passesAll, type ResultReason } from './left-out.ts';
import { afterSwitchers, hasValue, rowFlags } from './report-results.ts';

/** The rows of the points. The value of a result that is left out is NULL, and so is its own weight. */
export function countedStep(
  query: AggregateMetricQuery,
  keys: readonly string[],
  reasons: readonly ResultReason[],
): Step {
  const isCounted = allOf(hasValue, passesAll(reasons));
  const value = query.report?.relativeTo === undefined ? 'value' : '100 * value / relative_to';
  const hasOwnWeight = query.metric.measure.kind === 'ratio';
  return {
    name: 'counted',
    select: {
      columns: [
        ...new Set([...keys, 'agent_key', 'unit_id', ...(query.normalised ? ['block'] : [])]),
        as(`if(${isCounted}, ${value}, NULL)`, 'value'),
        ...(hasOwnWeight ? [as(`if(${isCounted}, own_weight, NULL)`, 'own_weight')] : []),
        hasValue,
        ...reasons.map(({ column }, i) => as(allOf(hasValue, isFirst(reasons, i)), `is_${column}`)),
      ],
      from: afterSwitchers(query),
      where: rowFlags(query),
    },
  };
}
