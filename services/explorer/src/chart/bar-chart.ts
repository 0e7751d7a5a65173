import { breakable } from '../dom/breakable.ts';
import { h } from '../dom/h.ts';
import {
  count,
  estimateText,
  exactNumber,
  meanText,
  shortNumber,
  unitText,
} from '../dom/number-text.ts';
import { rowsPicture } from '../picture/rows-picture.ts';
import { isAggregated, isShown, type Series } from '../series/series.ts';
import { bandEnd } from './line-data.ts';
import type { Chart, ChartParts } from './chart-parts.ts';
import { niceTicks } from './nice-ticks.ts';
import { chartInk, colourOf } from './theme.ts';
import { tooltip } from './tooltip.ts';

interface Bar {
  readonly series: Series;
  readonly value: number;
  readonly low: number | null;
  readonly high: number | null;
  readonly percentiles: readonly { readonly key: string; readonly value: number | null }[];
  readonly details: string;
}

/** `total`: one bar per series with its error bar, the largest first. */
export function barChart(parts: ChartParts): Chart {
  const bars = parts.series
    .filter((series) => isShown(series, parts.display))
    .flatMap((series) => barOf(series, parts))
    .sort((a, b) => b.value - a.value);
  const ends = bars.flatMap(({ value, low, high, percentiles }) => [
    value,
    low ?? value,
    high ?? value,
    ...percentiles.flatMap((one) => (one.value === null ? [] : [one.value])),
  ]);
  const ticks = niceTicks(Math.min(0, ...ends), Math.max(0, ...ends), 5);
  const [first = 0] = ticks;
  const last = ticks.at(-1) ?? 1;
  const percentOf = (value: number) => ((value - first) / (last - first || 1)) * 100;

  const tip = tooltip();
  const rows = h('ul', { class: 'bars', 'aria-label': parts.valueLabel });
  const element = h('div', { class: 'chart bar-chart' }, rows, axis(), tip.element);
  rows.append(...bars.map(rowOf));
  parts.host.append(element);
  return {
    element,
    drawn: () => ({
      kind: 'bars',
      xs: bars.map((_, i) => i),
      series: bars.flatMap(({ series: { label }, value, low, high }) => [
        { label, part: 'value', values: [value] },
        { label, part: 'low', values: [low] },
        { label, part: 'high', values: [high] },
      ]),
    }),
    zoom: undefined,
    resize: () => undefined,
    picture: (width) =>
      rowsPicture({
        rows: bars.map((bar) => ({
          name: bar.series.label,
          colour: colourOf(bar.series.colourSlot),
          marks: [{ value: bar.value, low: bar.low, high: bar.high, shape: 'bar' }],
          text: meanText(bar.value, halfOf(bar)),
        })),
        axisTitle: parts.valueLabel,
        ink: chartInk(),
        width,
      }),
    destroy: () => element.remove(),
  };

  function rowOf(bar: Bar): HTMLElement {
    const text = `${estimateText(bar.value, halfOf(bar))} ${unitText(parts.metric.unit)}`;
    const body = h('div', { class: 'bar-body' });
    body.style.left = `${percentOf(Math.min(0, bar.value))}%`;
    body.style.width = `${Math.abs(percentOf(bar.value) - percentOf(0))}%`;
    body.style.background = colourOf(bar.series.colourSlot);
    const row = h(
      'li',
      {
        tabindex: 0,
        'aria-label': `${bar.series.label}: ${text}, ${bar.details}`,
        onmousemove: show,
        onfocus: show,
        onmouseleave: tip.hide,
        onblur: tip.hide,
      },
      h('span', { class: 'bar-name' }, ...breakable(bar.series.label)),
      h('div', { class: 'bar-track' }, body, errorBar(bar), ...bar.percentiles.map(mark)),
      h('span', { class: 'bar-value' }, meanText(bar.value, halfOf(bar))),
    );
    return row;

    function show(): void {
      const at = row.getBoundingClientRect();
      const box = element.getBoundingClientRect();
      const colour = colourOf(bar.series.colourSlot);
      tip.show({ left: box.width * 0.45, top: at.bottom - box.top + 16 }, bar.series.label, [
        { colour, label: '', value: text, details: bar.details },
      ]);
    }
  }

  function errorBar({ low, high }: Bar): HTMLElement | null {
    if (low === null || high === null) return null;
    const whisker = h('div', { class: 'error-bar' });
    whisker.style.left = `${percentOf(low)}%`;
    whisker.style.width = `${percentOf(high) - percentOf(low)}%`;
    return whisker;
  }

  function mark({ key, value }: Bar['percentiles'][number]): HTMLElement | null {
    if (value === null) return null;
    const tick = h('div', { class: 'percentile-mark', title: `p${key} ${exactNumber(value)}` });
    tick.style.left = `${percentOf(value)}%`;
    return tick;
  }

  function axis(): HTMLElement {
    const labels = ticks.map((tick) => {
      const label = h('span', {}, shortNumber(tick));
      label.style.left = `${percentOf(tick)}%`;
      return label;
    });
    return h(
      'div',
      { class: 'bar-axis', 'aria-hidden': 'true' },
      h('div', { class: 'bar-ticks' }, ...labels),
      h('p', {}, parts.valueLabel),
    );
  }
}

function halfOf({ low, value }: Bar): number | null {
  return low === null ? null : value - low;
}

function barOf(series: Series, { display }: ChartParts): Bar[] {
  const [point] = series.points;
  if (point === undefined || !isAggregated(point) || point.metricValue === null) return [];
  const { band, percentiles } = display;
  return [
    {
      series,
      value: point.metricValue,
      low: band === 'off' ? null : bandEnd(point, band, -1),
      high: band === 'off' ? null : bandEnd(point, band, 1),
      percentiles: percentiles.map((key) => ({ key, value: point.percentiles[key] ?? null })),
      details: `${count(point.sampleCount)} results · ${count(point.agentCount)} agents`,
    },
  ];
}
