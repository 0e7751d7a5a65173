import type { Chart, ChartParts, Drawn } from '../chart/chart-parts.ts';
import type { DrawingSize } from '../drawing/shapes.ts';
import { colourOf } from '../drawing/theme.ts';
import type { TooltipRow } from '../chart/tooltip.ts';
import { exactNumber, thresholdText } from '../dom/number-text.ts';
import { type Mark, rowsDrawing } from '../drawing/rows-drawing.ts';
import { panelsOf } from '../series/panels.ts';
import type { Series } from '../series/series.ts';
import { type Region, shapeChart } from './shape-chart.ts';
import { bestFirst, countsOf, shownTotals, type Total } from './total-of.ts';

interface ChartRow {
  readonly series: Series;
  /** From that of the series, which is the default. */
  readonly name?: (shown: string) => string;
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
  readonly rows: readonly ChartRow[];
}

/** One row per series, each with a tooltip. */
function rowsChart(parts: ChartParts, { kind, what, rows }: RowsChartParts): Chart {
  const { display, query } = parts;
  const isLog = display.scale === 'log' && query.view !== 'threshold';
  const byKey = new Map(rows.map((row) => [row.series.key, row]));
  const panels = panelsOf(
    rows.map(({ series }) => series),
    query.splits,
    display.panelsBy,
  ).map(({ title, series }) => ({
    title,
    rows: series.flatMap((one) => {
      const row = byKey.get(one.key);
      return row === undefined ? [] : [{ ...row, series: one }];
    }),
  }));
  const draw = (size: DrawingSize) => {
    const picture = rowsDrawing(
      {
        rows: panels.flatMap(({ title, rows: own }) =>
          own.map(({ series, name, marks, text }) => ({
            name: (name ?? String)(series.shortLabel ?? series.label),
            ...(title === '' ? {} : { group: title }),
            colour: size.theme.colourOf(series.colourSlot),
            marks,
            text,
          })),
        ),
        isLog,
        axisTitle: parts.valueLabel,
      },
      size,
    );
    const shown = panels.flatMap(({ rows: own }) => own);
    return { picture, regions: regionsOf(shown, picture.places, size.width) };
  };
  return shapeChart(parts, what, draw, () => ({
    kind,
    xs: rows.map((_, i) => i),
    series: rows.flatMap(({ series: { label }, drawn }) =>
      Object.entries(drawn).map(([part, value]) => ({ label, part, values: [value] })),
    ),
  }));
}

/** The tooltips of rows. */
export function regionsOf(
  rows: readonly Pick<ChartRow, 'series' | 'readout'>[],
  places: readonly { readonly y: number; readonly height: number }[],
  width: number,
): readonly Region[] {
  return rows.flatMap(({ series, readout }, i) => {
    const place = places[i];
    const colour = colourOf(series.colourSlot);
    const tooltip = readout.map((row) => ({ ...row, colour }));
    return place === undefined
      ? []
      : [{ x: 0, width, ...place, title: series.label, rows: tooltip }];
  });
}

function markOf({ value, low, high }: Total, shape: Mark['shape']): Mark {
  return { value, low, high, shape };
}

export function readoutOf(label: string, { text, point }: Total) {
  return { label, value: text, details: countsOf(point) };
}

/** `total`: one bar per series with its error bar and percentiles, the highest first. */
export function barChart(parts: ChartParts): Chart {
  // Bars are measured from 0, which a logarithmic axis does not have.
  const shape = parts.display.scale === 'log' ? 'dot' : 'bar';
  const bars = shownTotals(parts.series, parts).toSorted((a, b) => b.value - a.value);
  return rowsChart(parts, {
    kind: 'bars',
    what: `Bars of ${bars.length} series`,
    rows: bars.map((total) => {
      const { series, value, low, high, short, point } = total;
      const percentiles = parts.display.percentiles.flatMap((key) => {
        const percentile = point.percentiles[key];
        return percentile == null ? [] : [[key, percentile] as const];
      });
      return {
        series,
        marks: [
          markOf(total, shape),
          ...percentiles.map(([, at]): Mark => ({ value: at, shape: 'tick' })),
        ],
        text: short,
        readout: [
          readoutOf('', total),
          ...percentiles.map(([key, at]) => ({
            label: `p${key}`,
            value: exactNumber(at),
            details: '',
          })),
        ],
        drawn: { value, low, high },
      };
    }),
  });
}

/** The series by their value, best first, with their intervals. Equal values share a rank. */
export function rankingChart(parts: ChartParts): Chart {
  const totals = shownTotals(parts.series, parts).toSorted(bestFirst(parts));
  return rowsChart(parts, {
    kind: 'ranking',
    what: `Ranking of ${totals.length} series`,
    rows: totals.map((total) => {
      const { series, value, low, high, short } = total;
      const rank = 1 + totals.findIndex((one) => one.value === value);
      return {
        series,
        name: (shown) => `${rank}  ${shown}`,
        marks: [markOf(total, 'dot')],
        text: short,
        readout: [readoutOf(`Rank ${rank}`, total)],
        drawn: { value, low, high },
      };
    }),
  });
}

/** The share of households at or above the threshold, or below it if lower values are better. */
export function thresholdChart(parts: ChartParts): Chart {
  const shares = shownTotals(parts.series, parts).toSorted((a, b) => b.value - a.value);
  const condition = thresholdText(parts.query.threshold, parts.metric);
  return rowsChart(parts, {
    kind: 'shares',
    what: `Share of households with ${condition}, ${shares.length} series`,
    rows: shares.map((total) => {
      const { series, value, low, high, short } = total;
      return {
        series,
        marks: [markOf(total, 'bar')],
        text: short,
        readout: [readoutOf(`With ${condition}`, total)],
        drawn: { value, low, high },
      };
    }),
  });
}
