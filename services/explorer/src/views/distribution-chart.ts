import type { AggregatedPoint } from '../../../../openapi/client/index.ts';
import type { Chart, ChartParts } from '../chart/chart-parts.ts';
import { colourOf, dashOf, faded } from '../drawing/theme.ts';
import {
  type DrawingSize,
  label,
  pathOf,
  segment,
  type Shape,
  type Theme,
  wrapped,
} from '../drawing/shapes.ts';
import { shortNumber, unitText } from '../dom/number-text.ts';
import { valueAxis, type ValueAxis } from '../drawing/value-axis.ts';
import { type DrawnPicture, type Region, shapeChart } from './shape-chart.ts';
import { countsOf, shownTotals, type Total } from './total-of.ts';

const left = 44;
const boxHeight = 34;

/** The share of results up to each value, from the percentiles, and a box per series. */
export function distributionChart(parts: ChartParts): Chart {
  const totals = shownTotals(parts.series, parts).filter(({ point }) => curveOf(point).length > 1);
  const ofWhat = parts.query.agentAgg ? 'Households' : 'Results';
  return shapeChart(parts, `Distribution of ${totals.length} series`, draw, () => ({
    kind: 'distribution',
    xs: totals[0] === undefined ? [] : curveOf(totals[0].point).map(([percent]) => percent),
    series: totals.map(({ series, point }) => ({
      label: series.label,
      part: 'cdf',
      values: curveOf(point).map(([, value]) => value),
    })),
  }));

  function draw({ width, theme }: DrawingSize): DrawnPicture {
    const curveHeight = width < 560 ? 200 : 280;
    const axis = valueAxis({
      values: totals.flatMap(({ point }) => curveOf(point).map(([, value]) => value)),
      left,
      width: width - left - 16,
      theme,
      title: parts.valueLabel,
      hasZero: false,
      isLog: parts.display.scale === 'log',
    });
    const yAt = (percent: number) => 8 + curveHeight * (1 - percent / 100);
    const shapes: Shape[] = [
      ...axis.shapes(8, 8 + curveHeight),
      ...[0, 25, 50, 75, 100].flatMap((percent) => [
        segment([left, yAt(percent)], [width - 16, yAt(percent)], theme.grid),
        label([left - 6, yAt(percent) + 4], `${percent}%`, theme.text, { anchor: 'end' }),
      ]),
      ...totals.map(({ series, point }): Shape => ({
        kind: 'path',
        d: pathOf([curveOf(point).map(([percent, value]) => [axis.at(value), yAt(percent)])]),
        stroke: theme.colourOf(series.colourSlot),
        width: 2,
        dash: dashOf(series.colourSlot),
      })),
    ];
    const regions: Region[] = [];
    let y = 8 + curveHeight + 56;
    const caption = `${ofWhat} at or below a value. Boxes: 25% to 75%, line: median, ends: 5% and 95%`;
    for (const line of wrapped(caption, width - left)) {
      shapes.push(label([left, y], line, theme.text));
      y += 15;
    }
    for (const total of totals) {
      const names = wrapped(total.series.label, width - left);
      shapes.push(...names.map((name, i) => label([left, y + 12 + i * 15], name, theme.ink)));
      y += names.length * 15;
      shapes.push(...boxShapes(total, y + boxHeight / 2, axis, theme));
      regions.push({ x: 0, y, width, height: boxHeight, ...readoutOf(total) });
      y += boxHeight;
    }
    return { picture: { width, height: y + 8, shapes }, regions };
  }

  function readoutOf({ series, point }: Total) {
    const row = (name: string, value: number | null | undefined) => ({
      colour: colourOf(series.colourSlot),
      label: name,
      value:
        value == null
          ? 'unknown'
          : `${shortNumber(Number(value.toPrecision(3)))} ${unitText(parts.metric.unit)}`,
      details: '',
    });
    const { percentiles } = point;
    const rows = [
      row('95%', percentiles['95']),
      row('75%', percentiles['75']),
      { ...row('Median', percentiles['50']), details: countsOf(point) },
      row('25%', percentiles['25']),
      row('5%', percentiles['5']),
    ];
    return { title: series.label, rows };
  }
}

/** Percent and value, from the percentiles of the service. The extremes are of single results and not drawn. */
function curveOf({ percentiles }: AggregatedPoint): readonly (readonly [number, number])[] {
  return Object.entries(percentiles)
    .flatMap(([key, value]) => (value === null ? [] : [[Number(key), value] as const]))
    .sort(([a], [b]) => a - b);
}

function boxShapes(
  { series, point }: Total,
  y: number,
  axis: ValueAxis,
  theme: Theme,
): readonly Shape[] {
  const colour = theme.colourOf(series.colourSlot);
  const [low, q1, median, q3, high] = ['5', '25', '50', '75', '95'].map((key) => {
    const value = point.percentiles[key];
    return value == null ? undefined : axis.at(value);
  });
  if (low === undefined || q1 === undefined || median === undefined) return [];
  if (q3 === undefined || high === undefined) return [];
  return [
    segment([low, y], [high, y], colour, 1.5),
    segment([low, y - 5], [low, y + 5], colour, 1.5),
    segment([high, y - 5], [high, y + 5], colour, 1.5),
    { kind: 'rect', x: q1, y: y - 9, width: q3 - q1, height: 18, fill: theme.surface },
    {
      kind: 'rect',
      x: q1,
      y: y - 9,
      width: q3 - q1,
      height: 18,
      fill: faded(colour, 0.25),
      stroke: colour,
    },
    segment([median, y - 9], [median, y + 9], colour, 3),
  ];
}
