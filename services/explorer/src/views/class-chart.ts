import type { AggregatedPoint } from '../../../../openapi/client/index.ts';
import type { ProfileAggregation, TimeAggregation } from '../../../catalog/aggregations.ts';
import type { Chart, ChartParts } from '../chart/chart-parts.ts';
import type { TooltipRow } from '../chart/tooltip.ts';
import { type Reading, xyChart } from '../chart/xy-chart.ts';
import { shareText, shortNumber, unitText } from '../dom/number-text.ts';
import { rowsDrawing } from '../drawing/rows-drawing.ts';
import { type DrawingSize, moved, type Shape, type Theme, wrapped } from '../drawing/shapes.ts';
import { label, textWidth } from '../drawing/shapes.ts';
import { pageTheme } from '../drawing/theme.ts';
import { type PlacedPlot, type Plot, xyDrawing } from '../drawing/xy-drawing.ts';
import { align } from '../series/align.ts';
import { isAggregated, isShown } from '../series/series.ts';
import { xText } from '../series/time-text.ts';
import { betweenThresholds } from '../state/thresholds.ts';
import { classColour } from './colour-scale.ts';
import { shapeChart } from './shape-chart.ts';
import { regionsOf } from './rows-chart.ts';
import { countsOf } from './total-of.ts';

/** The shares of households between thresholds: a stacked bar per series, or a panel per series over time. */
export function classChart(parts: ChartParts): Chart {
  return parts.aggregation === 'total' ? classBars(parts) : classPanels(parts);
}

function classBars(parts: ChartParts): Chart {
  const names = classNames(parts);
  const rows = parts.series
    .filter((series) => isShown(series, parts.display))
    .flatMap((series) => {
      const [point] = series.points;
      const shares =
        point !== undefined && isAggregated(point) ? classShares(point, parts) : undefined;
      return point === undefined || !isAggregated(point) || shares === undefined
        ? []
        : [{ series, point, shares }];
    })
    .toSorted((a, b) => meanClass(b.shares) - meanClass(a.shares));

  const draw = (size: DrawingSize) => {
    const key = keyShapes(names, size, parts);
    const picture = rowsDrawing(
      {
        rows: rows.map(({ series, shares }) => ({
          name: series.label,
          colour: '',
          marks: [],
          segments: shares.map((share, i) => ({
            share,
            fill: classColour(i, names.length, parts.metric, size.theme),
          })),
          text: '',
        })),
        axisTitle: 'Share of households, %',
        ends: [0, 100],
      },
      size,
    );
    const places = picture.places.map((place) => ({ ...place, y: place.y + key.height }));
    const readouts = rows.map(({ series, point, shares }) => ({
      series,
      readout: readoutOf(point, shares, parts, pageTheme()),
    }));
    const shapes = [...key.shapes, moved(picture.shapes, 0, key.height)];
    return {
      picture: { width: size.width, height: picture.height + key.height, shapes },
      regions: regionsOf(readouts, places, size.width),
    };
  };
  return shapeChart(parts, `Shares between thresholds of ${rows.length} series`, draw, () => ({
    kind: 'classes',
    xs: names.map((_, i) => i),
    series: rows.map(({ series, shares }) => ({
      label: series.label,
      part: 'share',
      values: shares,
    })),
  }));
}

function classPanels(parts: ChartParts): Chart {
  const aggregation = parts.aggregation as TimeAggregation | ProfileAggregation;
  const { xs, lines } = align(parts.series, aggregation);
  const shown = lines.filter(({ series }) => isShown(series, parts.display));
  const names = classNames(parts);
  const [first = 0] = xs;
  const step = xs.length > 1 ? Math.min(...xs.slice(1).map((x, i) => x - (xs[i] ?? 0))) : 1;
  const full = { min: first - step * 0.7, max: (xs.at(-1) ?? first) + step * 0.7 };
  const sharesAt = (panel: number, index: number) => {
    const point = shown[panel]?.points[index];
    return point && classShares(point, parts);
  };

  return xyChart(parts, {
    what: `Shares between thresholds of ${shown.length} series`,
    full,
    draw: (zoom, size) => {
      const key = keyShapes(names, size, parts);
      const height = size.height === undefined ? {} : { height: size.height - key.height };
      const drawing = xyDrawing(
        {
          panels: shown.map(({ series }, panel) => ({
            title: shown.length > 1 ? series.label : '',
            values: [0, 100],
            draw: (plot, theme) => xs.flatMap((_, i) => column(panel, i, plot, theme)),
          })),
          aggregation,
          valueLabel: 'Share of households, %',
          zoom,
          hasZero: true,
        },
        { ...size, ...height },
      );
      return {
        plots: drawing.plots.map((plot) => ({ ...plot, top: plot.top + key.height })),
        picture: {
          width: size.width,
          height: drawing.picture.height + key.height,
          shapes: [...key.shapes, moved(drawing.picture.shapes, 0, key.height)],
        },
      };
    },
    read: (plot, panel, x) => readingAt(plot, panel, nearest(plot.x.xAt(x))),
    keys: {
      count: xs.length,
      at: ({ plots: [plot] }, index) => plot && readingAt(plot, 0, index),
      spoken: (index) =>
        `${xText(xs[index] ?? 0, aggregation)}. ${shown
          .map(({ series }, panel) => {
            const shares = sharesAt(panel, index);
            const texts = shares?.map((share, i) => `${names[i] ?? ''} ${shareText(share)}`);
            return `${series.label}: ${texts?.join(', ') ?? 'no results'}`;
          })
          .join('; ')}`,
    },
    drawn: () => ({
      kind: 'classes',
      xs,
      series: shown.flatMap(({ series }, panel) =>
        names.map((part, i) => ({
          label: series.label,
          part,
          values: xs.map((_, index) => sharesAt(panel, index)?.[i] ?? null),
        })),
      ),
    }),
  });

  function column(panel: number, index: number, plot: Plot, theme: Theme): readonly Shape[] {
    const shares = sharesAt(panel, index);
    if (shares === undefined) return [];
    const isPartial = shown[panel]?.points[index]?.partial === true;
    const middle = plot.x.at(xs[index] ?? 0);
    const width = Math.max(1, (plot.x.at(step) - plot.x.at(0)) * 0.86);
    let below = 0;
    return shares.map((share, i): Shape => {
      const [y, bottom] = [plot.y.at(below + share), plot.y.at(below)];
      below += share;
      const fill = classColour(i, names.length, parts.metric, theme);
      const place = { x: middle - width / 2, y, width, height: bottom - y, part: 'class' };
      // Partial periods are hollow, as in lines.
      return isPartial
        ? { kind: 'rect', ...place, fill: theme.surface, stroke: fill }
        : { kind: 'rect', ...place, fill };
    });
  }

  function readingAt(plot: PlacedPlot, panel: number, index: number): Reading | undefined {
    const point = shown[panel]?.points[index];
    const shares = sharesAt(panel, index);
    const title = `${xText(xs[index] ?? 0, aggregation)}, local time`;
    const theme = pageTheme();
    const rows = point && shares ? readoutOf(point, shares, parts, theme) : [];
    const x = plot.x.at(xs[index] ?? 0);
    const width = Math.max(1, (plot.x.at(step) - plot.x.at(0)) * 0.86);
    const frame = { x: x - width / 2, y: 0, width, height: plot.height };
    const marks: readonly Shape[] = [{ kind: 'rect', ...frame, fill: 'none', stroke: theme.ink }];
    const name = shown[panel]?.series.label ?? '';
    return {
      plot,
      x,
      y: plot.height / 3,
      marks,
      title: shown.length > 1 ? `${name}, ${title}` : title,
      rows,
    };
  }

  function nearest(x: number): number {
    return xs.reduce(
      (best, one, i) => (Math.abs(one - x) < Math.abs((xs[best] ?? 0) - x) ? i : best),
      0,
    );
  }
}

/** In percent, from the lowest class to the highest; undefined if the point has none. */
function classShares(
  { shares }: AggregatedPoint,
  { query }: ChartParts,
): readonly number[] | undefined {
  const reached = betweenThresholds(query).map((threshold) => shares?.[String(threshold)] ?? null);
  if (reached.length === 0 || reached.some((share) => share === null)) return undefined;
  const all = [1, ...(reached as readonly number[]), 0];
  return all.slice(1).map((share, i) => 100 * ((all[i] ?? 0) - share));
}

/** `below 10 Mbit/s`, `10 to 30 Mbit/s`, `30 Mbit/s or more` */
function classNames({ query, metric }: ChartParts): readonly string[] {
  const texts = betweenThresholds(query).map(shortNumber);
  const unit = metric.unit === '' ? '' : ` ${unitText(metric.unit)}`;
  return [undefined, ...texts].map((from, i) => {
    const to = texts[i];
    if (from === undefined) return `below ${to ?? ''}${unit}`;
    return to === undefined ? `${from}${unit} or more` : `${from} to ${to}${unit}`;
  });
}

function meanClass(shares: readonly number[]): number {
  return shares.reduce((sum, share, i) => sum + share * i, 0);
}

/** Each class, and the shares at or above each threshold with their intervals. */
function readoutOf(
  point: AggregatedPoint,
  shares: readonly number[],
  parts: ChartParts,
  theme: Theme,
): readonly TooltipRow[] {
  const names = classNames(parts);
  const thresholds = betweenThresholds(parts.query);
  return shares
    .map((share, i): TooltipRow => {
      const threshold = thresholds[i - 1];
      const [low, high] = point.sharesCi95?.[String(threshold)] ?? [];
      const reached = point.shares?.[String(threshold)];
      const isWithInterval = reached != null && low != null && high != null;
      const details = isWithInterval
        ? `${shortNumber(threshold ?? 0)} or more: ${shareText(100 * reached, 100 * low, 100 * high)}`
        : i === 0
          ? countsOf(point)
          : '';
      const colour = classColour(i, names.length, parts.metric, theme);
      return { colour, label: names[i] ?? '', value: shareText(share), details };
    })
    .toReversed();
}

/** What the colours mean, above the chart. */
function keyShapes(
  names: readonly string[],
  { width, theme }: DrawingSize,
  { metric }: ChartParts,
) {
  const shapes: Shape[] = [];
  let [x, y] = [0, 0];
  for (const [i, name] of names.entries()) {
    const room = textWidth(name) + 40;
    if (x > 0 && x + room > width) [x, y] = [0, y + 22];
    const fill = classColour(i, names.length, metric, theme);
    shapes.push({
      kind: 'rect',
      x: x + 0.5,
      y: y + 1.5,
      width: 16,
      height: 12,
      fill,
      stroke: theme.text,
    });
    const [line = name] = wrapped(name, Math.max(width, 400));
    shapes.push(label([x + 22, y + 12], line, theme.ink));
    x += room;
  }
  return { shapes, height: y + 28 };
}
