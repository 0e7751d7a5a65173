import type { Field } from '../../../../openapi/client/index.ts';
import { aggregationOf } from '../api/request-body.ts';
import { count, shortNumber, thresholdText, unitText } from '../dom/number-text.ts';
import { reportTexts } from '../form/report-words.ts';
import { fieldName } from '../form/splits-field.ts';
import { aggregationText } from '../form/view-fields.ts';
import { rangeOf } from '../state/local-days.ts';
import { type DisplayOptions, type Query, viewNames } from '../state/view-state.ts';
import { betweenThresholds } from '../state/thresholds.ts';
import { differenceUnit, directionWords, withinSentence } from '../series/comparison-words.ts';
import { isDifferenceOverTime } from '../series/estimate.ts';
import { relativeNames } from '../series/relative.ts';
import { hasIntervals, hasPeriods, hasValueAxis } from './chart-tools.ts';
import { filterTexts } from './compared-sides.ts';
import type { QueryResponse } from './query-response.ts';

type Described = Pick<QueryResponse, 'query' | 'metric' | 'report' | 'sides'>;

/** Every option that changes the numbers, for the subtitle and for exported pictures. */
export function optionsText(
  response: Described,
  display: DisplayOptions,
  fields: readonly Field[],
): string {
  const { query } = response;
  const { from, to } = rangeOf(query);
  return [
    viewText(response),
    ...(query.splits.length > 0
      ? [`split by ${query.splits.map((id) => fieldName(fields, id)).join(', ')}`]
      : []),
    ...filterTexts(query.filters, fields),
    `${from} to ${to}, households' local time`,
    ...howParts(response, display, fields),
  ].join(' · ');
}

/** How the numbers were computed, for the note of a figure. */
export function howText(
  response: Described,
  display: DisplayOptions,
  fields: readonly Field[],
): string {
  const parts = [
    "Households' local time",
    ...howParts(response, display, fields),
    ...(response.query.view === 'threshold' ? [shareIntervals] : []),
  ];
  return `${parts.join('; ')}.`;
}

const shareIntervals = '95% confidence intervals of the share, households as the sample';

function howParts(
  { query, report }: Described,
  display: DisplayOptions,
  fields: readonly Field[],
): readonly string[] {
  return [
    ...(report.relativeTo === undefined
      ? []
      : [`percent of ${fieldName(fields, report.relativeTo)}`]),
    query.prefilter
      ? 'prefilter: without impossible results'
      : 'prefilter off: impossible results included',
    ...(query.normalised ? ['normalised: every block of hours has the same weight'] : []),
    ...(query.agentAgg ? ['households count once'] : []),
    ...reportTexts(report, query, fields),
    ...displayTexts(query, display),
    ...(aggregationOf(query) !== 'raw' && hasIntervals(query.view)
      ? [bandText(query, display)]
      : []),
  ];
}

/** Where the numbers come from, and when. */
export function sourceText({ queryId, series }: Pick<QueryResponse, 'queryId' | 'series'>): string {
  const results = series.reduce((sum, { size }) => sum + size, 0);
  const when = new Date().toISOString().slice(0, 16).replace('T', ' ');
  return `Source: ${location.host}, netpanel · ${count(results)} results · ${when} UTC · query ${queryId}`;
}

/** What changes how the numbers are drawn. */
function displayTexts(query: Query, { scale, relative }: DisplayOptions): readonly string[] {
  const isRelative = query.view === 'trend' && relative !== 'off' && hasPeriods(query);
  return [
    ...(scale === 'log' && hasValueAxis(query) ? ['logarithmic axis'] : []),
    ...(isRelative
      ? [`${relativeNames[relative]}, intervals without the error of the first point`]
      : []),
  ];
}

/** What the band or the error bars show. */
function bandText({ intervals, view }: Query, { band }: DisplayOptions): string {
  if (band === 'off') return 'no intervals';
  if (view === 'peak' || view === 'change') {
    return `${band}% confidence intervals of the difference, households as the sample`;
  }
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

function viewText({ query, metric, sides }: Described): string {
  const name = viewName(query);
  switch (query.view) {
    case 'threshold': {
      const over = query.over === 'total' ? '' : ` · ${aggregationText(query.over)}`;
      const between = betweenThresholds(query);
      if (between.length > 0) {
        return `Shares of households between ${between.map(shortNumber).join(', ')} ${unitText(metric.unit)}${over}`;
      }
      return `${name}: value of ${thresholdText(query.threshold, metric)}${over} · ${shareIntervals}`;
    }
    case 'map': {
      const ends = metric.better === null ? 'the lowest to the highest' : 'the worst to the best';
      return `${name}: colours from ${ends} value`;
    }
    case 'peak':
    case 'change': {
      const both = query.compare.isOfBoth && query.view === 'change';
      const over = isDifferenceOverTime(query) ? ` · ${aggregationText(query.compare.over)}` : '';
      return `${sides.here} compared with ${sides.there}${over}${both ? ', only households on both sides' : ''}`;
    }
    default:
      return name;
  }
}

/** The axis of the values. */
export function valueLabel({ query, metric }: Described, { relative }: DisplayOptions): string {
  if (isDifferenceOverTime(query)) {
    return `Difference of ${withinSentence(metric.name)}, ${differenceUnit(metric)}: ${directionWords(metric)}`;
  }
  if (query.view === 'trend' && relative !== 'off' && aggregationOf(query) !== 'raw') {
    return `${metric.name}: ${relativeNames[relative]}`;
  }
  if (query.view === 'threshold') {
    return `Households with ${thresholdText(query.threshold, metric)}, %`;
  }
  const unit = unitText(metric.unit);
  return unit === '' ? metric.name : `${metric.name}, ${unit}`;
}

/** How to read the view, in one sentence. */
export function readingText({ query, metric, aggregation }: QueryResponse): string {
  const best = metric.better === null ? 'The highest is first' : 'The best is first';
  if (isDifferenceOverTime(query)) {
    return 'Each line is a difference and its band the confidence interval: where a band contains 0, no difference can be shown.';
  }
  switch (query.view) {
    case 'trend':
      if (aggregation === 'raw') return 'Each dot is one result.';
      if (aggregation === 'total')
        return 'Each bar is a mean; the line on it is its confidence interval.';
      return 'Each line is a mean and its band the confidence interval: a wide band has few or very different households behind it.';
    case 'ranking':
      return `${best}; the line through a dot is the confidence interval of its mean, and neighbours whose lines overlap widely may really be in the other order.`;
    case 'distribution':
      return 'The higher a curve at a value, the more are at or below it; the box holds the middle half.';
    case 'heatmap':
      return metric.better === null
        ? 'Each cell is an hour of the week: the stronger the colour, the higher the value.'
        : 'Each cell is an hour of the week: the fainter the colour, the worse the value.';
    case 'peak':
    case 'change':
      return 'On the left both values of each series, on the right their difference: an interval that crosses 0 may be chance.';
    case 'threshold':
      if (betweenThresholds(query).length > 0) {
        return 'Each colour is a share of households, and together they are 100%: the stronger the colour, the better.';
      }
      return query.over === 'total'
        ? 'Each bar is a share of households, and the line on it its confidence interval.'
        : 'Each line is a share of households, and its band the confidence interval.';
    case 'map':
      return 'The fainter the colour of a region, the worse its value; hatched regions have no results.';
  }
}
