import type { Field } from '../../../../openapi/client/index.ts';
import { count, thresholdText, unitText } from '../dom/number-text.ts';
import { fieldName } from '../form/splits-field.ts';
import { aggregationText } from '../form/view-fields.ts';
import { filterTexts } from '../results/compared-sides.ts';
import type { QueryResponse } from '../results/query-response.ts';
import { howText, sourceText } from '../results/view-text.ts';
import { withinSentence } from '../series/comparison-words.ts';
import { absoluteRange, rangeWords } from '../state/absolute-range.ts';
import type { DisplayOptions } from '../state/view-state.ts';
import type { FigureTexts } from '../state/figure-options.ts';

/** The default texts of a figure. They never say "the last 7 days". */
export function figureTexts(
  response: QueryResponse,
  display: DisplayOptions,
  fields: readonly Field[],
  households: number | undefined,
): FigureTexts {
  const { query, metric } = response;
  return {
    title: titleOf(response, fields),
    subtitle: [
      query.view === 'threshold' ? 'Share of households' : unitText(metric.unit),
      rangeWords(absoluteRange(query)),
      ...filterTexts(query.filters, fields),
      ...(households === undefined ? [] : [`${count(households)} households`]),
    ]
      .filter((text) => text !== '')
      .join(' · '),
    note: howText(response, display, fields),
    source: sourceText(response),
  };
}

function titleOf({ query, metric, sides }: QueryResponse, fields: readonly Field[]): string {
  const names = query.splits.map((id) => fieldName(fields, id));
  const by = names.length === 0 ? '' : ` by ${names.join(' and ')}`;
  switch (query.view) {
    case 'trend': {
      const isWhole = query.aggregation === 'total' || query.aggregation === 'raw';
      const over = isWhole ? '' : `, ${withinSentence(aggregationText(query.aggregation))}`;
      return `${metric.name}${by}${over}`;
    }
    case 'ranking':
    case 'map':
      return `${metric.name}${by}`;
    case 'distribution':
      return `Distribution of ${withinSentence(metric.name)}${by}`;
    case 'heatmap':
      return `${metric.name}${by}, by hour and weekday`;
    case 'peak':
    case 'change':
      return `${metric.name}${by}: ${sides.here} compared with ${sides.there}`;
    case 'threshold':
      return `Households with ${thresholdText(query.threshold, metric)} of ${withinSentence(metric.name)}${by}`;
  }
}
