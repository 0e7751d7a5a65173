import type { Chart, ChartParts, Drawn } from '../chart/chart-parts.ts';
import { chartInk, colourOf } from '../chart/theme.ts';
import type { TooltipRow } from '../chart/tooltip.ts';
import {
  estimateText,
  meanText,
  percentText,
  thresholdText,
  unitText,
} from '../dom/number-text.ts';
import { type Mark, rowsPicture } from '../picture/rows-picture.ts';
import type { Series } from '../series/series.ts';
import { shapeChart } from './shape-chart.ts';
import { bestFirst, countsOf, highOf, lowOf, shownTotals, type Total } from './total-of.ts';

interface ChartRow {
  readonly series: Series;
  /** Default: that of the series. */
  readonly name?: string;
  readonly marks: readonly Mark[];
  /** At the right end. */
  readonly text: string;
  readonly readout: readonly Omit<TooltipRow, 'colour'>[];
  /** What is drawn, by its part. */
  readonly drawn: Readonly<Record<string, number | null>>;
}

interface RowsChartParts {
  readonly kind: Drawn['kind'];
  /** For screen readers. */
  readonly what: string;
  readonly axisTitle: string;
  readonly rows: readonly ChartRow[];
}

/** One row per series, each with a tooltip. */
function rowsChart(parts: ChartParts, { kind, what, axisTitle, rows }: RowsChartParts): Chart {
  const draw = (width: number) => {
    const picture = rowsPicture({
      rows: rows.map(({ series, name = series.label, marks, text }) => ({
        name,
        colour: colourOf(series.colourSlot),
        marks,
        text,
      })),
      axisTitle,
      ink: chartInk(),
      width,
    });
    const regions = rows.flatMap(({ series, readout }, i) => {
      const place = picture.places[i];
      const colour = colourOf(series.colourSlot);
      const tooltip = readout.map((row) => ({ ...row, colour }));
      return place === undefined
        ? []
        : [{ x: 0, width, ...place, title: series.label, rows: tooltip }];
    });
    return { picture, regions };
  };
  return shapeChart(parts, what, draw, () => ({
    kind,
    xs: rows.map((_, i) => i),
    series: rows.flatMap(({ series: { label }, drawn }) =>
      Object.entries(drawn).map(([part, value]) => ({ label, part, values: [value] })),
    ),
  }));
}

function markOf(total: Total, shape: Mark['shape']): Mark {
  return { value: total.value, low: lowOf(total), high: highOf(total), shape };
}

export function readoutOf(label: string, { value, half, point }: Total, unit: string) {
  return {
    label,
    value: `${estimateText(value, half)} ${unitText(unit)}`,
    details: countsOf(point),
  };
}

/** The series by their value, best first, with their intervals. Equal values share a rank. */
export function rankingChart(parts: ChartParts): Chart {
  const totals = shownTotals(parts.series, parts).toSorted(bestFirst(parts));
  return rowsChart(parts, {
    kind: 'ranking',
    what: `Ranking of ${totals.length} series`,
    axisTitle: parts.valueLabel,
    rows: totals.map((total) => {
      const rank = 1 + totals.findIndex(({ value }) => value === total.value);
      return {
        series: total.series,
        name: `${rank}  ${total.series.label}`,
        marks: [markOf(total, 'dot')],
        text: meanText(total.value, total.half),
        readout: [readoutOf(`Rank ${rank}`, total, parts.metric.unit)],
        drawn: { value: total.value, low: lowOf(total), high: highOf(total) },
      };
    }),
  });
}

/** Two values per series: peak and off-peak hours, or a period and the one before. */
export function pairChart(parts: ChartParts): Chart {
  const [firstName = '', secondName = ''] = parts.names;
  const { unit } = parts.metric;
  const seconds = shownTotals(parts.compared, {
    display: {
      ...parts.display,
      switchedOff: [],
      switchedOn: parts.compared.map(({ key }) => key),
    },
  });
  const totals = shownTotals(parts.series, parts).toSorted(bestFirst(parts));
  return rowsChart(parts, {
    kind: 'pairs',
    what: `${firstName} and ${secondName} of ${totals.length} series`,
    axisTitle: `${parts.valueLabel}. ● ${firstName}, ○ ${secondName}`,
    rows: totals.map((first) => {
      const second = seconds.find(({ series }) => series.key === first.series.key);
      return {
        series: first.series,
        marks: [...(second === undefined ? [] : [markOf(second, 'ring')]), markOf(first, 'dot')],
        text: changeText(first, second),
        readout: [
          readoutOf(firstName, first, unit),
          ...(second === undefined ? [] : [readoutOf(secondName, second, unit)]),
        ],
        drawn: { [firstName]: first.value, [secondName]: second?.value ?? null },
      };
    }),
  });
}

/**
 * The difference in percent. Comparing the two intervals does not show whether it is significant, because both
 * values are of the same households.
 */
function changeText(first: Total, second: Total | undefined): string {
  if (second === undefined || second.value === 0) return '';
  const percent = (100 * (first.value - second.value)) / Math.abs(second.value);
  const sign = percent > 0 ? '+' : percent < 0 ? '−' : '';
  return `${sign}${Math.abs(percent).toFixed(1)}%`;
}

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
  return rowsChart(parts, {
    kind: 'shares',
    what: `Share of households with ${condition}, ${shares.length} series`,
    axisTitle: `Households with ${condition}, %`,
    rows: shares.map(({ series, share, point }) => {
      const text = percentText(share);
      return {
        series,
        marks: [{ value: share * 100, shape: 'bar' }],
        text,
        readout: [{ label: `With ${condition}`, value: text, details: countsOf(point) }],
        drawn: { share },
      };
    }),
  });
}
