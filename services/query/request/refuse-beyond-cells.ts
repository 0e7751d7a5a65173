import {
  aggregationDefinition,
  type Aggregation,
  aggregationKeys,
} from '../../catalog/aggregations.ts';
import { reportFields } from './fields/report-fields.ts';
import { withoutDefaults } from './fields/shapes.ts';
import type { MetricScope } from './parse-context.ts';
import { isObject } from './request-body.ts';
import { oneOf } from './suggestion.ts';

/** Reports what a request for published percentiles needs the results behind them for. */
export function refuseBeyondCells(
  aggregation: Aggregation | null,
  { metric, request, problems }: MetricScope,
): void {
  if (metric?.stored === undefined) return;
  const rule = `${metric.key} has published percentiles of cells, without the results behind them, which this needs. Leave it out.`;
  const fields = ['normalised', 'agent_agg', 'window', 'method', ...Object.keys(reportFields)];
  for (const name of fields.filter((one) => one !== 'compare')) {
    if (request[name] !== undefined && request[name] !== false) problems.add(name, rule);
  }
  const sent = isObject(request.compare) ? request.compare : {};
  const compare = withoutDefaults(sent, reportFields.compare.fields ?? {});
  for (const name of ['window', 'to', 'agents']) {
    if (compare[name] !== undefined) problems.add(`compare[${name}]`, rule);
  }
  if (aggregation !== null && !isOfDays(aggregation)) {
    const allowed = oneOf(aggregationKeys.filter(isOfDays));
    problems.add(
      'aggregation',
      `The cells of ${metric.key} are of whole days or more. Send ${allowed}.`,
    );
  }
}

function isOfDays(aggregation: Aggregation): boolean {
  const { kind, shownAs } = aggregationDefinition(aggregation);
  return kind === 'total' || shownAs === 'date';
}
