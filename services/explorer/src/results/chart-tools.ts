import { percentileNumbers } from '../../../catalog/statistics.ts';
import { h, quietButton, select } from '../dom/h.ts';
import type { Aggregation, DisplayOptions, ViewKind } from '../state/view-state.ts';

const percentileKeys = percentileNumbers.map(String);

interface ChartToolsParts {
  readonly view: ViewKind;
  readonly aggregation: Aggregation;
  readonly onDisplay: (changes: Partial<DisplayOptions>) => void;
  readonly onZoom: (factor: number | undefined) => void;
}

/** Above the chart: confidence, percentiles and zoom, as far as the kind of chart supports them. */
export function chartTools({ view, aggregation, onDisplay, onZoom }: ChartToolsParts) {
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
    !isRaw && hasIntervals(view) && h('label', { class: 'inline' }, 'Confidence', band),
    !isRaw && view === 'trend' && menu,
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
      for (const box of boxes) box.checked = display.percentiles.includes(box.value);
      const chosen = display.percentiles.length;
      summary.textContent = chosen === 0 ? 'Percentiles' : `Percentiles (${chosen})`;
      reset.disabled = display.zoom === undefined;
    },
  };
}

/** Whether the chart of a view shows intervals of means. */
export function hasIntervals(view: ViewKind): boolean {
  return view !== 'distribution' && view !== 'threshold';
}

function percentileName(key: string): string {
  if (key === '50') return 'Median';
  return key === '1' ? '1st' : `${key}th`;
}

const bands: readonly (readonly [DisplayOptions['band'], string])[] = [
  ['off', 'off'],
  ['90', '90%'],
  ['95', '95%'],
  ['99', '99%'],
];
