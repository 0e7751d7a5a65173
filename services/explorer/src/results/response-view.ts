import type { DataApi } from '../api/data-api.ts';
import type { Chart } from '../chart/chart-parts.ts';
import { drawChart } from '../chart/draw-chart.ts';
import { darkMode } from '../chart/theme.ts';
import { fill, h } from '../dom/h.ts';
import { count, shortNumber, unitText } from '../dom/number-text.ts';
import { aggregationText } from '../form/aggregation-field.ts';
import type { ViewStore } from '../state/view-store.ts';
import type { QueryResponse } from './query-response.ts';
import { chartTools } from './chart-tools.ts';
import { csvDownload } from './csv-download.ts';
import { legend } from './legend.ts';
import { panels } from './panels.ts';
import { warningList } from './warning-list.ts';

interface ResponseViewParts {
  readonly api: DataApi;
  readonly store: ViewStore;
  readonly response: QueryResponse;
  /** Sends the query again. */
  readonly onReload: () => void;
}

export interface ResponseView {
  readonly element: HTMLElement;
  readonly draw: () => void;
  readonly close: () => void;
}

/** Headline, warnings, chart, legend, facts, and the panels below. */
export function responseView({ api, store, response, onReload }: ResponseViewParts): ResponseView {
  const { metric, query, series } = response;
  const unit = unitText(metric.unit);
  const host = h('div', { class: 'chart-host' });
  let chart: Chart | undefined;

  const change = (changes: Parameters<ViewStore['setDisplay']>[0]) => {
    store.setDisplay(changes);
    draw();
  };
  const tools = chartTools({ query, onDisplay: change, onZoom: (factor) => chart?.zoom?.(factor) });
  const keys = legend({ series, onSwitch: change });
  const below = panels({ api, store, response });
  const download = csvDownload({ api, query });
  const resizing = new ResizeObserver(() => chart?.resize());
  resizing.observe(host);
  darkMode.addEventListener('change', draw);

  const element = h(
    'div',
    { class: 'response' },
    h(
      'header',
      { class: 'response-head' },
      h('div', {}, h('h2', {}, metric.name), h('p', { class: 'muted' }, subtitle(response))),
      download,
    ),
    warningList(response.warnings, onReload),
    h('div', { class: 'card' }, tools.element, host, densityNote(), keys.element, facts(response)),
    h('div', { class: 'card' }, below.element),
  );

  function draw(): void {
    const { display } = store.view();
    chart?.destroy();
    fill(host);
    chart = drawChart({
      host,
      series,
      aggregation: query.aggregation,
      valueLabel: unit === '' ? metric.key : `${metric.key}, ${unit}`,
      unit: metric.unit,
      display,
      onZoom: (zoom) => {
        store.setDisplay({ zoom });
        tools.show(store.view().display);
      },
    });
    tools.show(display);
    keys.show(display);
    below.show(display);
  }

  return {
    element,
    draw,
    close: () => {
      resizing.disconnect();
      darkMode.removeEventListener('change', draw);
      chart?.destroy();
    },
  };
}

function subtitle({ query }: QueryResponse): string {
  const { aggregation, splits, filters, from, to } = query;
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

function facts({ series, query, tookMs, queryId }: QueryResponse): HTMLElement {
  const points = series.reduce((sum, one) => sum + one.points.length, 0);
  const results = series.reduce((sum, { size }) => sum + size, 0);
  const isRaw = query.aggregation === 'raw';
  return h(
    'dl',
    { class: 'facts' },
    ...fact('Series', count(series.length)),
    ...(isRaw ? [] : fact('Points', count(points))),
    ...fact('Results', count(results)),
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
