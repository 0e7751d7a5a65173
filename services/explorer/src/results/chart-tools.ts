import { percentileNumbers } from '../../../catalog/statistics.ts';
import { h, quietButton, select } from '../dom/h.ts';
import { aggregationOf } from '../api/request-body.ts';
import { relativeNames } from '../series/relative.ts';
import type { Aggregation, DisplayOptions, Query, ViewKind } from '../state/view-state.ts';

const percentileKeys = percentileNumbers.map(String);

interface ChartToolsParts {
  readonly query: Query;
  /** The fields of the splits, for people. */
  readonly splitNames: readonly string[];
  readonly seriesCount: number;
  readonly aggregation: Aggregation;
  readonly onDisplay: (changes: Partial<DisplayOptions>) => void;
  readonly onZoom: (factor: number | undefined) => void;
}

/** Above the chart: confidence, percentiles and zoom, as far as the kind of chart supports them. */
export function chartTools({
  query,
  splitNames,
  seriesCount,
  aggregation,
  onDisplay,
  onZoom,
}: ChartToolsParts) {
  const { view, splits } = query;
  const hasZoom = aggregation !== 'total' && aggregation !== 'hour_of_week';
  const isRaw = aggregation === 'raw';
  const band = select(bands, 'off', (chosen) => onDisplay({ band: chosen }));
  const boxes = percentileKeys.map((key) =>
    h('input', {
      type: 'checkbox',
      value: key,
      onchange: () => onDisplay({ percentiles: ticked() }),
    }),
  );
  const scale = select(scales, 'linear', (chosen) => onDisplay({ scale: chosen }));
  const relative = select(
    Object.entries(relativeNames) as [DisplayOptions['relative'], string][],
    'off',
    (chosen) => onDisplay({ relative: chosen }),
  );
  const panels = select(
    [['', 'one chart'], ...splits.map((id, i) => [id, `by ${splitNames[i] ?? id}`] as const)],
    '',
    (chosen) => onDisplay({ panelsBy: chosen }),
  );
  const colours = select(colourScales, 'shared', (chosen) => onDisplay({ colours: chosen }));
  const ticked = () => boxes.filter(({ checked }) => checked).map(({ value }) => value);
  const summary = h('summary', {}, 'Percentiles');
  const menu = h(
    'details',
    { class: 'menu' },
    summary,
    h(
      'div',
      { class: 'menu-body', role: 'group', 'aria-label': 'Percentiles' },
      ...boxes.map((box) => h('label', {}, box, percentileName(box.value))),
    ),
  );
  menu.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') menu.open = false;
  });
  document.addEventListener('click', closeElsewhere);
  const reset = zoomButton('Reset zoom', 'Reset zoom', undefined);
  const zoom = h(
    'div',
    { class: 'zoom', role: 'group', 'aria-label': 'Zoom' },
    zoomButton('+', 'Zoom in', 0.5),
    zoomButton('−', 'Zoom out', 2),
    reset,
  );
  const element = h(
    'div',
    { class: 'chart-tools' },
    !isRaw && hasIntervals(view) && inline('Confidence', band),
    !isRaw && view === 'trend' && menu,
    hasPanels(query) && splits.length > 0 && inline('Panels', panels),
    hasValueAxis(query) && inline('Axis', scale),
    view === 'trend' && hasPeriods(query) && inline('Values', relative),
    view === 'heatmap' && seriesCount > 1 && inline('Colours', colours),
    hasZoom && zoom,
  );

  function closeElsewhere({ target }: MouseEvent): void {
    if (!menu.contains(target as Node)) menu.open = false;
    // The next response creates its own tools.
    if (!menu.isConnected) document.removeEventListener('click', closeElsewhere);
  }

  function zoomButton(text: string, label: string, factor: number | undefined): HTMLButtonElement {
    return quietButton(text, () => onZoom(factor), { 'aria-label': label });
  }

  return {
    element,
    show: (display: DisplayOptions) => {
      band.value = display.band;
      scale.value = display.scale;
      relative.value = display.relative;
      panels.value = splits.includes(display.panelsBy) ? display.panelsBy : '';
      colours.value = display.colours;
      for (const box of boxes) box.checked = display.percentiles.includes(box.value);
      const chosen = display.percentiles.length;
      summary.textContent = chosen === 0 ? 'Percentiles' : `Percentiles (${chosen})`;
      reset.disabled = display.zoom === undefined;
    },
  };
}

function inline(text: string, control: HTMLElement): HTMLElement {
  return h('label', { class: 'inline' }, text, control);
}

/** Whether a chart has an axis that may be logarithmic: shares and differences may be 0. */
export function hasValueAxis(query: Query): boolean {
  const { view, compare } = query;
  const isOfTotals = view === 'change' && compare.over === 'total';
  return ['trend', 'ranking', 'distribution', 'peak'].includes(view) || isOfTotals;
}

/** Whether a chart has a line per series. */
export function hasPeriods(query: Query): boolean {
  return !['raw', 'total', 'hour_of_week'].includes(aggregationOf(query));
}

/** Whether the values of a split can have a chart each. A heat map per series is one already. */
function hasPanels(query: Query): boolean {
  const isOfLines = query.view === 'change' && query.compare.over !== 'total';
  const isOfShares = query.view === 'threshold' && query.between === '';
  return ['trend', 'ranking'].includes(query.view) || isOfLines || isOfShares;
}

/** Whether the chart of a view shows intervals of means. */
export function hasIntervals(view: ViewKind): boolean {
  return view !== 'distribution' && view !== 'threshold';
}

function percentileName(key: string): string {
  if (key === '50') return 'Median';
  return key === '1' ? '1st' : `${key}th`;
}

const scales: readonly (readonly [DisplayOptions['scale'], string])[] = [
  ['linear', 'linear'],
  ['log', 'logarithmic'],
];

const colourScales: readonly (readonly [DisplayOptions['colours'], string])[] = [
  ['shared', 'one scale for all'],
  ['own', 'one scale each'],
];

const bands: readonly (readonly [DisplayOptions['band'], string])[] = [
  ['off', 'off'],
  ['90', '90%'],
  ['95', '95%'],
  ['99', '99%'],
];
