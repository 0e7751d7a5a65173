import type { Chart, ChartParts } from '../chart/chart-parts.ts';
import { darkMode } from '../drawing/theme.ts';
import { copyButton } from '../dom/copy-button.ts';
import { button, fill, h } from '../dom/h.ts';
import { count, shortNumber } from '../dom/number-text.ts';
import { figureView } from '../figure/figure-view.ts';
import { isSuppressed } from '../series/series.ts';
import type { DataContext } from '../state/data-context.ts';
import type { QueryResponse } from './query-response.ts';
import { chartTools } from './chart-tools.ts';
import { csvDownload } from './csv-download.ts';
import { fileName } from './file-name.ts';
import { legend } from './legend.ts';
import { panels } from './panels.ts';
import { findingList } from './finding-list.ts';
import { canHaveOthers } from './other-series.ts';
import { optionsText, readingText, valueLabel, viewTitle } from './view-text.ts';
import { warningList } from './warning-list.ts';
import type { DisplayOptions, ViewKind } from '../state/view-state.ts';
import { distributionChart } from '../views/distribution-chart.ts';
import { heatmapChart } from '../views/heatmap-chart.ts';
import { classChart } from '../views/class-chart.ts';
import { betweenThresholds } from '../state/thresholds.ts';
import { seriesColours } from '../series/colours.ts';
import { mapChart } from '../views/map-chart.ts';
import { lineChart } from '../chart/line-chart.ts';
import { scatterChart } from '../chart/scatter-chart.ts';
import { comparisonChart } from '../views/comparison-chart.ts';
import { barChart, rankingChart, thresholdChart } from '../views/rows-chart.ts';

export type ResponseView = ReturnType<typeof responseView>;

/** Headline, warnings, chart, legend, facts, and the panels below. `onReload` sends the query again. */
export function responseView(context: DataContext, response: QueryResponse, onReload: () => void) {
  const { api, fields, store } = context;
  const { metric, query, series } = response;
  const host = h('div', { class: 'chart-host' });
  let chart: Chart | undefined;

  const change = (changes: Partial<DisplayOptions>) => {
    store.setDisplay(changes);
    draw();
  };
  const title = viewTitle(response, fields);
  document.title = `${title} · netpanel explorer`;
  const about = h('p', { class: 'muted' });
  const tools = chartTools({
    query,
    splitNames: response.splitNames,
    seriesCount: series.length,
    aggregation: response.aggregation,
    onDisplay: change,
    onZoom: (factor) => chart?.zoom?.(factor),
  });
  // A map shows every region; its colours are of values, not of series.
  const hasLegend = query.view !== 'map';
  const isComparison = query.view === 'peak' || (query.view === 'change' && !hasLines(response));
  const findings = isComparison ? findingList(response) : undefined;
  const coloursOf = seriesColours();
  const keys = legend({
    series,
    canHaveOthers: canHaveOthers(response, store.view().display),
    onSwitch: (changes) => {
      store.setDisplay(changes);
      // The order of the series, and the others together, need other requests.
      if ('rank' in changes || 'hasOthers' in changes || store.view().display.hasOthers) onReload();
      else draw();
    },
  });
  const isOfClasses = query.view === 'threshold' && betweenThresholds(query).length > 0;
  const figure = figureView({
    api,
    fields,
    response,
    coloured: (display) => coloursOf(series, display),
    chart: (size) => chart?.picture(size) ?? { width: size.width, height: 0, shapes: [] },
    hasLegend: (hasLines(response) && !isOfClasses) || query.view === 'distribution',
    onFigure: (changed) => {
      store.setDisplay({ figure: changed });
      showFigure(store.view().display);
    },
  });
  const figureToggle = button('Figure', () => {
    const { figure: before } = store.view().display;
    const size = before.size === undefined ? 'print' : undefined;
    store.setDisplay({ figure: { ...before, size } });
    showFigure(store.view().display);
    if (size !== undefined) figure.element.scrollIntoView({ block: 'nearest' });
  });
  const below = panels(context, response);
  const download = csvDownload(api, response.request, fileName(query));
  const resizing = new ResizeObserver(() => chart?.resize());
  resizing.observe(host);
  darkMode.addEventListener('change', draw);

  const element = h(
    'div',
    { class: 'response' },
    h(
      'header',
      { class: 'response-head' },
      h(
        'div',
        {},
        h('h2', {}, metric.name),
        about,
        h('p', { class: 'reading' }, readingText(response)),
      ),
      h(
        'div',
        { class: 'response-actions' },
        copyButton('Copy link', () => location.href),
        figureToggle,
        download,
      ),
    ),
    warningList(response.warnings, onReload),
    figure.element,
    h(
      'div',
      { class: 'card' },
      tools.element,
      host,
      densityNote(),
      missingNote(response),
      hasLegend && keys.element,
      facts(response),
    ),
    findings?.element,
    h('div', { class: 'card' }, below.element),
  );

  function draw(): void {
    const { display } = store.view();
    const coloured = coloursOf(series, display);
    chart?.destroy();
    fill(host);
    chart = drawChart({
      ...response,
      series: coloured,
      host,
      valueLabel: valueLabel(response, display),
      display,
      onZoom: (zoom) => {
        store.setDisplay({ zoom });
        tools.show(store.view().display);
      },
    });
    about.textContent = optionsText(response, display, fields);
    tools.show(display);
    keys.show(display, coloured);
    findings?.show(display);
    below.show(display);
    showFigure(display);
  }

  function showFigure(display: DisplayOptions): void {
    figureToggle.setAttribute('aria-pressed', String(display.figure.size !== undefined));
    figure.show(display);
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
  const text = 'Darker spots have more results. Zoom in to see single results.';
  return h('p', { class: 'density-note hint' }, text);
}

/** The series that no view draws, and why. Comparisons name theirs. */
function missingNote({ series, aggregation }: QueryResponse): HTMLElement | undefined {
  if (aggregation === 'raw') return undefined;
  const hidden = series.filter(({ points }) => points.every(isSuppressed));
  if (hidden.length === 0) return undefined;
  const names = hidden.map(({ label }) => label).join(', ');
  return h('p', { class: 'hint' }, `Hidden, because too few households are in them: ${names}.`);
}

/** The chart of the view; over time or by hour, the one that fits the aggregation. */
function drawChart(parts: ChartParts): Chart {
  const chart = kindOf(parts)(parts);
  // The element returns the numbers drawn on it, for tests.
  Object.assign(chart.element, { drawn: chart.drawn });
  return chart;
}

/** Over time or by hour. Other charts name their series beside them. */
function hasLines({ query, aggregation }: QueryResponse): boolean {
  return ['trend', 'threshold', 'change'].includes(query.view) && aggregation !== 'total';
}

const charts: Readonly<Record<Exclude<ViewKind, 'trend'>, (parts: ChartParts) => Chart>> = {
  ranking: rankingChart,
  distribution: distributionChart,
  heatmap: heatmapChart,
  peak: comparisonChart,
  change: comparisonChart,
  threshold: thresholdChart,
  map: mapChart,
};

function kindOf(parts: ChartParts): (parts: ChartParts) => Chart {
  const { query, aggregation } = parts;
  if (query.view === 'threshold' && betweenThresholds(query).length > 0) return classChart;
  if (hasLines(parts)) return aggregation === 'raw' ? scatterChart : lineChart;
  return query.view === 'trend' ? barChart : charts[query.view];
}
