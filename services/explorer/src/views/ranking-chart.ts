import type { Chart, ChartParts } from '../chart/chart-parts.ts';
import { chartInk, colourOf } from '../chart/theme.ts';
import { estimateText, meanText, unitText } from '../dom/number-text.ts';
import { rowsPicture } from '../picture/rows-picture.ts';
import { shapeChart } from './shape-chart.ts';
import { bestFirst, countsOf, highOf, lowOf, shownTotals } from './total-of.ts';

/** The series by their value, best first, with their intervals. Equal values share a rank. */
export function rankingChart(parts: ChartParts): Chart {
  const totals = shownTotals(parts.series, parts).toSorted(bestFirst(parts));
  const ranks = totals.map(({ value }) => 1 + totals.findIndex((one) => one.value === value));
  return shapeChart(
    parts,
    `Ranking of ${totals.length} series`,
    (width) => {
      const picture = rowsPicture({
        rows: totals.map((total, i) => ({
          name: `${ranks[i] ?? ''}  ${total.series.label}`,
          colour: colourOf(total.series.colourSlot),
          marks: [{ value: total.value, low: lowOf(total), high: highOf(total), shape: 'dot' }],
          text: meanText(total.value, total.half),
        })),
        axisTitle: parts.valueLabel,
        ink: chartInk(),
        width,
      });
      const regions = picture.places.flatMap(({ y, height }, i) => {
        const total = totals[i];
        if (total === undefined) return [];
        const row = {
          colour: colourOf(total.series.colourSlot),
          label: `Rank ${ranks[i] ?? ''}`,
          value: `${estimateText(total.value, total.half)} ${unitText(parts.metric.unit)}`,
          details: countsOf(total.point),
        };
        return [{ x: 0, y, width, height, title: total.series.label, rows: [row] }];
      });
      return { picture, regions };
    },
    () => ({
      kind: 'ranking',
      xs: totals.map((_, i) => i),
      series: totals.flatMap((total) => {
        const { label } = total.series;
        return [
          { label, part: 'value', values: [total.value] },
          { label, part: 'low', values: [lowOf(total)] },
          { label, part: 'high', values: [highOf(total)] },
        ];
      }),
    }),
  );
}
