import type { Field } from '../../../../openapi/client/index.ts';
import type { DataApi } from '../api/data-api.ts';
import type { Chart } from '../chart/chart-parts.ts';
import { drawChart } from '../chart/draw-chart.ts';
import { chartInk, darkMode } from '../chart/theme.ts';
import { copyButton } from '../dom/copy-button.ts';
import { fill, h } from '../dom/h.ts';
import { count, shortNumber, unitText } from '../dom/number-text.ts';
import { filePicture } from '../picture/file-picture.ts';
import { pictureButtons } from '../picture/picture-files.ts';
import type { Picture } from '../picture/shapes.ts';
import { isShown } from '../series/series.ts';
import type { ViewStore } from '../state/view-store.ts';
import type { QueryResponse } from './query-response.ts';
import { chartTools } from './chart-tools.ts';
import { csvDownload } from './csv-download.ts';
import { legend } from './legend.ts';
import { panels } from './panels.ts';
import { optionsText, viewTitle } from './view-text.ts';
import { warningList } from './warning-list.ts';

interface ResponseViewParts {
  readonly api: DataApi;
  readonly fields: readonly Field[];
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
export function responseView(parts: ResponseViewParts): ResponseView {
  const { api, fields, store, response, onReload } = parts;
  const { metric, query, series } = response;
  const unit = unitText(metric.unit);
  const host = h('div', { class: 'chart-host' });
  let chart: Chart | undefined;

  const change = (changes: Parameters<ViewStore['setDisplay']>[0]) => {
    store.setDisplay(changes);
    draw();
  };
  const title = viewTitle(response, fields);
  document.title = `${title} · netpanel explorer`;
  const about = h('p', { class: 'muted' });
  const tools = chartTools({
    view: query.view,
    aggregation: response.aggregation,
    onDisplay: change,
    onZoom: (factor) => chart?.zoom?.(factor),
  });
  // A map shows every region; its colours are of values, not of series.
  const hasLegend = query.view !== 'map';
  const keys = legend({ series, onSwitch: change });
  const files = pictureButtons(() => title, filePictureNow);
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
      h('div', {}, h('h2', {}, metric.name), about),
      h(
        'div',
        { class: 'response-actions' },
        copyButton('Copy link', () => location.href),
        files,
        download,
      ),
    ),
    warningList(response.warnings, onReload),
    h(
      'div',
      { class: 'card' },
      tools.element,
      host,
      densityNote(),
      hasLegend && keys.element,
      facts(response),
    ),
    h('div', { class: 'card' }, below.element),
  );

  function draw(): void {
    const { display } = store.view();
    chart?.destroy();
    fill(host);
    chart = drawChart({
      host,
      series,
      compared: response.compared,
      names: response.names,
      map: response.map,
      query,
      aggregation: response.aggregation,
      valueLabel: unit === '' ? metric.name : `${metric.name}, ${unit}`,
      metric,
      display,
      onZoom: (zoom) => {
        store.setDisplay({ zoom });
        tools.show(store.view().display);
      },
    });
    about.textContent = optionsText(response, display, fields);
    tools.show(display);
    keys.show(display);
    below.show(display);
  }

  function filePictureNow(): Picture {
    const { display } = store.view();
    const isNamed = query.view !== 'trend' || response.aggregation === 'total';
    const isDrawn = !isNamed || query.view === 'distribution';
    return filePicture({
      title: metric.name,
      subtitle: optionsText(response, display, fields),
      source: sourceText(response),
      chart: (width) => chart?.picture(width) ?? { width, height: 0, shapes: [] },
      legend: isDrawn && series.length > 1 ? series.filter((one) => isShown(one, display)) : [],
      ink: chartInk(),
    });
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

/** Where the numbers come from, and when. */
function sourceText({ queryId, series }: QueryResponse): string {
  const results = series.reduce((sum, { size }) => sum + size, 0);
  const when = new Date().toISOString().slice(0, 16).replace('T', ' ');
  return `Source: ${location.host}, netpanel · ${count(results)} results · ${when} UTC · query ${queryId}`;
}

function facts({ series, aggregation, tookMs, queryId }: QueryResponse): HTMLElement {
  const points = series.reduce((sum, one) => sum + one.points.length, 0);
  const results = series.reduce((sum, { size }) => sum + size, 0);
  const isRaw = aggregation === 'raw';
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
