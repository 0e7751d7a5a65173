import { breakable, h } from '../dom/h.ts';
import { exactNumber, shortNumber } from '../dom/number-text.ts';
import { rowsPicture } from '../picture/rows-picture.ts';
import { countsOf, shownTotals, type Total } from '../views/total-of.ts';
import type { Chart, ChartParts } from './chart-parts.ts';
import { niceTicks } from './axes.ts';
import { chartInk, colourOf } from './theme.ts';
import { tooltip } from './tooltip.ts';

/** `total`: one bar per series with its error bar, the largest first. */
export function barChart(parts: ChartParts): Chart {
  const bars = shownTotals(parts.series, parts).toSorted((a, b) => b.value - a.value);
  const percentilesOf = ({ point }: Total) =>
    parts.display.percentiles.flatMap((key) => {
      const value = point.percentiles[key];
      return value == null ? [] : [{ key, value }];
    });
  const ends = bars.flatMap((bar) => [
    bar.value,
    bar.low ?? bar.value,
    bar.high ?? bar.value,
    ...percentilesOf(bar).map(({ value }) => value),
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
      series: bars.flatMap((bar) => {
        const { label } = bar.series;
        return [
          { label, part: 'value', values: [bar.value] },
          { label, part: 'low', values: [bar.low] },
          { label, part: 'high', values: [bar.high] },
        ];
      }),
    }),
    zoom: undefined,
    resize: () => undefined,
    picture: (width) =>
      rowsPicture(
        {
          rows: bars.map(({ series, value, low, high, short }) => ({
            name: series.label,
            colour: colourOf(series.colourSlot),
            marks: [{ value, low, high, shape: 'bar' }],
            text: short,
          })),
          axisTitle: parts.valueLabel,
        },
        { ink: chartInk(), width },
      ),
    destroy: () => element.remove(),
  };

  function rowOf(bar: Total): HTMLElement {
    const { text } = bar;
    const details = countsOf(bar.point);
    const style = {
      left: `${percentOf(Math.min(0, bar.value))}%`,
      width: `${Math.abs(percentOf(bar.value) - percentOf(0))}%`,
      background: colourOf(bar.series.colourSlot),
    };
    const row = h(
      'li',
      {
        tabindex: 0,
        'aria-label': `${bar.series.label}: ${text}, ${details}`,
        onmousemove: show,
        onfocus: show,
        onmouseleave: tip.hide,
        onblur: tip.hide,
      },
      h('span', { class: 'bar-name' }, ...breakable(bar.series.label)),
      h(
        'div',
        { class: 'bar-track' },
        h('div', { class: 'bar-body', style }),
        errorBar(bar),
        ...percentilesOf(bar).map(mark),
      ),
      h('span', { class: 'bar-value' }, bar.short),
    );
    return row;

    function show(): void {
      const at = row.getBoundingClientRect();
      const box = element.getBoundingClientRect();
      const colour = colourOf(bar.series.colourSlot);
      tip.show({ left: box.width * 0.45, top: at.bottom - box.top + 16 }, bar.series.label, [
        { colour, label: '', value: text, details },
      ]);
    }
  }

  function errorBar(bar: Total): HTMLElement | null {
    const { low, high } = bar;
    if (low === null || high === null) return null;
    const style = { left: `${percentOf(low)}%`, width: `${percentOf(high) - percentOf(low)}%` };
    return h('div', { class: 'error-bar', style });
  }

  function mark({ key, value }: { key: string; value: number }): HTMLElement {
    const style = { left: `${percentOf(value)}%` };
    return h('div', { class: 'percentile-mark', title: `p${key} ${exactNumber(value)}`, style });
  }

  function axis(): HTMLElement {
    const labels = ticks.map((tick) =>
      h('span', { style: { left: `${percentOf(tick)}%` } }, shortNumber(tick)),
    );
    return h(
      'div',
      { class: 'bar-axis', 'aria-hidden': 'true' },
      h('div', { class: 'bar-ticks' }, ...labels),
      h('p', {}, parts.valueLabel),
    );
  }
}
