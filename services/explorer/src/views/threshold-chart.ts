import type { Chart, ChartParts } from '../chart/chart-parts.ts';
import { chartInk, colourOf } from '../chart/theme.ts';
import { percentText } from '../dom/number-text.ts';
import { rowsPicture } from '../picture/rows-picture.ts';
import { thresholdText } from '../series/threshold-text.ts';
import { shapeChart } from './shape-chart.ts';
import { countsOf, shownTotals } from './total-of.ts';

/** The share of households whose mean is at or above the threshold, or below it if lower values are better. */
export function thresholdChart(parts: ChartParts): Chart {
  const { threshold } = parts.query;
  const shares = shownTotals(parts.series, parts)
    .flatMap((total) => {
      const { shares: all } = total.point as { shares?: Readonly<Record<string, number | null>> };
      const share = all?.[String(threshold)];
      if (share == null) return [];
      return [{ ...total, share: parts.metric.better === 'lower' ? 1 - share : share }];
    })
    .toSorted((a, b) => b.share - a.share);
  const condition = thresholdText(threshold, parts.metric);
  return shapeChart(
    parts,
    `Share of households with ${condition}, ${shares.length} series`,
    (width) => {
      const picture = rowsPicture({
        rows: shares.map(({ series, share }) => ({
          name: series.label,
          colour: colourOf(series.colourSlot),
          marks: [{ value: share * 100, shape: 'bar' }],
          text: percentText(share),
        })),
        axisTitle: `Households with ${condition}, %`,
        ink: chartInk(),
        width,
      });
      const regions = picture.places.flatMap(({ y, height }, i) => {
        const one = shares[i];
        if (one === undefined) return [];
        const row = {
          colour: colourOf(one.series.colourSlot),
          label: `With ${condition}`,
          value: percentText(one.share),
          details: countsOf(one.point),
        };
        return [{ x: 0, y, width, height, title: one.series.label, rows: [row] }];
      });
      return { picture, regions };
    },
    () => ({
      kind: 'shares',
      xs: shares.map((_, i) => i),
      series: shares.map(({ series: { label }, share }) => ({
        label,
        part: 'share',
        values: [share],
      })),
    }),
  );
}
