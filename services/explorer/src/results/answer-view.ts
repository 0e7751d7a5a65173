import type { DataApi } from '../api/data-api.ts';
import type { Chart } from '../chart/chart-parts.ts';
import { drawChart } from '../chart/draw-chart.ts';
import { darkMode } from '../chart/theme.ts';
import { fill, h } from '../dom/h.ts';
import { count, shortNumber, unitText } from '../dom/number-text.ts';
import { aggregationText } from '../form/aggregation-field.ts';
import type { ViewStore } from '../state/view-store.ts';
import type { Answer } from './answer.ts';
import { chartTools } from './chart-tools.ts';
import { csvDownload } from './csv-download.ts';
import { legend } from './legend.ts';
import { panels } from './panels.ts';

interface AnswerViewParts {
  readonly api: DataApi;
  readonly store: ViewStore;
  readonly answer: Answer;
}

export interface AnswerView {
  readonly element: HTMLElement;
  readonly look: () => void;
  readonly close: () => void;
}

/** Headline, chart, legend, figures, and the panels below. */
export function answerView({ api, store, answer }: AnswerViewParts): AnswerView {
  const { metric, question, series } = answer;
  const unit = unitText(metric.unit);
  const host = h('div', { class: 'chart-host' });
  let chart: Chart | undefined;

  const change = (changes: Parameters<ViewStore['setLook']>[0]) => {
    store.setLook(changes);
    look();
  };
  const tools = chartTools({ question, onLook: change, onZoom: (factor) => chart?.zoom?.(factor) });
  const keys = legend({ series, onSwitch: change });
  const below = panels({ api, store, answer });
  const download = csvDownload({ api, question });
  const resizing = new ResizeObserver(() => chart?.resize());
  resizing.observe(host);
  darkMode.addEventListener('change', look);

  const element = h(
    'div',
    { class: 'answer' },
    h(
      'header',
      { class: 'answer-head' },
      h('div', {}, h('h2', {}, metric.description), h('p', { class: 'muted' }, subtitle(answer))),
      download,
    ),
    h('div', { class: 'card' }, tools.element, host, densityNote(), keys.element, facts(answer)),
    h('div', { class: 'card' }, below.element),
  );

  function look(): void {
    const { look: current } = store.view();
    chart?.destroy();
    fill(host);
    chart = drawChart({
      host,
      series,
      aggregation: question.aggregation,
      valueLabel: unit === '' ? metric.key : `${metric.key}, ${unit}`,
      unit: metric.unit,
      look: current,
      onZoom: (zoom) => {
        store.setLook({ zoom });
        tools.show(store.view().look);
      },
    });
    tools.show(current);
    keys.show(current);
    below.show(current);
  }

  return {
    element,
    look,
    close: () => {
      resizing.disconnect();
      darkMode.removeEventListener('change', look);
      chart?.destroy();
    },
  };
}

function subtitle({ question }: Answer): string {
  const { aggregation, splits, filters, from, to } = question;
  return [
    aggregationText(aggregation),
    ...(splits.length > 0 ? [`split by ${splits.join(', ')}`] : []),
    ...filters.map(
      ({ id, mode, values }) =>
        `${id} ${mode === 'include' ? 'is' : 'is not'} ${values.join(' or ')}`,
    ),
    `${from} to ${to}`,
  ].join(' · ');
}

function facts({ series, question, rowsRead, tookMs, queryId }: Answer): HTMLElement {
  const points = series.reduce((sum, one) => sum + one.points.length, 0);
  const results = series.reduce((sum, { size }) => sum + size, 0);
  const isRaw = question.aggregation === 'raw';
  return h(
    'dl',
    { class: 'facts' },
    ...fact('Series', count(series.length)),
    ...(isRaw ? [] : fact('Points', count(points))),
    ...fact('Results', count(results)),
    ...(rowsRead === undefined
      ? []
      : fact(isRaw ? 'Rows read, at least' : 'Rows read', count(rowsRead))),
    ...fact('Time taken', `${shortNumber(Number((tookMs / 1000).toPrecision(3)))} s`),
    ...fact('Query id', queryId),
  );
}

function fact(name: string, value: string): HTMLElement[] {
  return [h('div', {}, h('dt', {}, name), h('dd', {}, value))];
}

function densityNote(): HTMLElement {
  const text = 'The darker a spot, the more results lie there. Zoom in to see single results.';
  return h('p', { class: 'density-note hint' }, text);
}
