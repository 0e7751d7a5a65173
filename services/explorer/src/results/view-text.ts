import type { Field } from '../../../../openapi/client/index.ts';
import { aggregationOf, peakWindow } from '../api/request-body.ts';
import { aggregationText } from '../form/view-fields.ts';
import { fieldName } from '../form/splits-field.ts';
import { thresholdText } from '../dom/number-text.ts';
import { rangeBefore, rangeOf } from '../state/local-days.ts';
import { type DisplayOptions, type Query, viewNames } from '../state/view-state.ts';
import { hasIntervals } from './chart-tools.ts';
import type { QueryResponse } from './query-response.ts';

/** Every option that changes the numbers, for the subtitle and for exported pictures. */
export function optionsText(
  { query, metric }: Pick<QueryResponse, 'query' | 'metric'>,
  display: DisplayOptions,
  fields: readonly Field[],
): string {
  const { from, to } = rangeOf(query);
  return [
    viewText(query, metric),
    ...(query.splits.length > 0
      ? [`split by ${query.splits.map((id) => fieldName(fields, id)).join(', ')}`]
      : []),
    ...filterTexts(query, fields),
    `${from} to ${to}, households' local time`,
    ...(query.relativeTo === '' ? [] : [`percent of ${fieldName(fields, query.relativeTo)}`]),
    query.prefilter ? 'prefilter on' : 'prefilter off: impossible results included',
    ...(query.normalised ? ['normalised: every block of hours has the same weight'] : []),
    ...(query.agentAgg ? ['households count once'] : []),
    ...(aggregationOf(query) !== 'raw' && hasIntervals(query.view)
      ? [bandText(query, display)]
      : []),
  ].join(' · ');
}

/** What the band or the error bars show. */
function bandText({ intervals }: Query, { band }: DisplayOptions): string {
  if (band === 'off') return 'no intervals';
  return intervals === 'households'
    ? `${band}% confidence intervals of the mean, households as the sample`
    : `${band}% confidence intervals of the mean, results as the sample: too narrow for statements about households`;
}

/** The title of the page: what the view shows. */
export function viewTitle(
  { query, metric }: Pick<QueryResponse, 'query' | 'metric'>,
  fields: readonly Field[],
): string {
  const by = query.splits.map((id) => fieldName(fields, id)).join(' and ');
  return `${metric.name}${by === '' ? '' : ` by ${by}`} · ${viewName(query)}`;
}

function viewName(query: Query): string {
  return query.view === 'trend' ? aggregationText(query.aggregation) : viewNames[query.view];
}

function viewText(query: Query, metric: QueryResponse['metric']): string {
  const name = viewName(query);
  if (query.view === 'peak') return `${name}: ${peakText()} against all other hours`;
  if (query.view === 'threshold') {
    return `${name}: mean of ${thresholdText(query.threshold, metric)}`;
  }
  if (query.view === 'map') {
    const ends = metric.better === null ? 'the lowest to the highest' : 'the worst to the best';
    return `${name}: colours from ${ends} value`;
  }
  if (query.view !== 'change') return name;
  const before = rangeBefore(query);
  return before === undefined ? name : `${name}, ${before.from} to ${before.to}`;
}

function peakText(): string {
  const hours = peakWindow.hours ?? [];
  return `Monday to Friday ${hours[0] ?? 0}:00 to ${(hours.at(-1) ?? 0) + 1}:00`;
}

function filterTexts({ filters }: Query, fields: readonly Field[]): readonly string[] {
  return filters
    .filter(({ values }) => values.length > 0)
    .map(
      ({ id, mode, values }) =>
        `${fieldName(fields, id)} ${mode === 'include' ? 'is' : 'is not'} ${values.join(' or ')}`,
    );
}
