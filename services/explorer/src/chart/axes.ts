import { aggregations } from '../../../catalog/aggregations.ts';
import type uPlot from 'uplot';
import { shortNumber } from '../dom/number-text.ts';
import { isProfile } from '../series/align.ts';
import { tickText, xText } from '../series/time-text.ts';
import type { Aggregation } from '../state/view-state.ts';
import { chartInk } from './theme.ts';

/** The two axes, labelled with their units; the time axis with "local time". */
export function axesOf(aggregation: Aggregation, valueLabel: string): uPlot.Axis[] {
  const ink = chartInk();
  const common: uPlot.Axis = {
    stroke: ink.text,
    font: ink.font,
    labelFont: ink.font,
    grid: { stroke: ink.grid, width: 1 },
    ticks: { stroke: ink.grid, width: 1, size: 4 },
  };
  return [
    {
      ...common,
      label: xLabel(aggregation),
      labelSize: 26,
      size: 34,
      space: 62,
      grid: { show: false },
      values: (_chart, splits, _axis, _space, step) =>
        splits.map((x) =>
          isProfile(aggregation) ? profileTick(x, aggregation) : tickText(x, step),
        ),
      ...(isProfile(aggregation) ? { incrs: [1, 2, 3, 6, 12], space: 44 } : {}),
    },
    {
      ...common,
      label: valueLabel,
      labelSize: 22,
      size: (_chart, values) => widthOf(values),
      values: (_chart, splits) => splits.map(shortNumber),
    },
  ];
}

function profileTick(x: number, aggregation: Aggregation): string {
  return Number.isInteger(x) ? xText(x, aggregation) : '';
}

export function xLabel(aggregation: Aggregation): string {
  if (!isProfile(aggregation)) return "Households' local time";
  const { label } = aggregations[aggregation];
  const what = label.replace(/^By (.)/, (_by, first: string) => first.toUpperCase());
  return `${what}, households' local time`;
}

/** As wide as its longest number. uPlot first calls it without labels. */
function widthOf(labels: readonly string[] | null): number {
  return 20 + 7.2 * Math.max(2, ...(labels ?? []).map(({ length }) => length));
}

/** Round numbers that cover a range: 0 to 312 gives 0, 100, 200, 300, 400. */
export function niceTicks(min: number, max: number, about: number): readonly number[] {
  const span = max - min || 1;
  const rough = span / about;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = ([1, 2, 2.5, 5, 10].find((factor) => factor * power >= rough) ?? 10) * power;
  const first = Math.floor(min / step);
  const last = Math.ceil(max / step);
  return Array.from({ length: last - first + 1 }, (_, i) =>
    Number(((first + i) * step).toPrecision(12)),
  );
}
