import { shortNumber } from '../dom/number-text.ts';
import type { Aggregation, Zoom } from '../state/view-state.ts';
import {
  type DrawingSize,
  label,
  type Picture,
  segment,
  type Shape,
  textWidth,
  type Theme,
  wrapped,
} from './shapes.ts';
import { axisTitle } from './value-axis.ts';
import { type ValueScale, valueScale } from './value-scale.ts';
import { xLabel, type XScale, xScale } from './x-scale.ts';

/** One plot, or one of several on the same axes. */
interface XyPanel {
  /** Empty: the only one. */
  readonly title: string;
  /** What the axis of the values must cover. */
  readonly values: readonly number[];
  readonly draw: (plot: Plot, theme: Theme) => readonly Shape[];
  /** The names of the lines at their ends, if all drawings of the chart have room for theirs. */
  readonly ends?: (plot: Plot) => readonly LineEnd[];
}

export interface LineEnd {
  readonly name: string;
  readonly colour: string;
  readonly x: number;
  readonly y: number;
}

/** Where values are in a plot, in pixels from its left top. */
export interface Plot {
  readonly width: number;
  readonly height: number;
  readonly x: XScale;
  readonly y: ValueScale;
}

/** A plot and where it is, for the cursor. */
export interface PlacedPlot extends Plot {
  readonly left: number;
  readonly top: number;
}

export interface XyDrawing {
  readonly picture: Picture;
  readonly plots: readonly PlacedPlot[];
}

interface XyParts {
  readonly panels: readonly XyPanel[];
  readonly aggregation: Aggregation;
  readonly valueLabel: string;
  /** The visible range of x. */
  readonly zoom: Zoom;
  readonly isLog?: boolean;
  readonly hasZero?: boolean;
  /** A value that has a stronger line, such as 0 of differences. */
  readonly baseline?: number;
}

const [lineHeight, gap, xAxisHeight] = [16, 24, 26];
const panelWidth = 300;

/** Axes with lines or dots: one plot, or several in a grid that share both axes. */
export function xyDrawing(
  parts: XyParts,
  { width, height: wanted, theme }: DrawingSize,
): XyDrawing {
  const { panels, aggregation, zoom, isLog, hasZero } = parts;
  const isGrid = panels.length > 1;
  const columns = isGrid ? Math.min(panels.length, Math.max(1, Math.floor(width / panelWidth))) : 1;
  const rows = Math.ceil(panels.length / columns);
  const titleLines = Math.max(
    1,
    ...panels.map(({ title }) => wrapped(title, width / columns - 60).length),
  );
  const panelTop = isGrid ? titleLines * lineHeight + 6 : 0;
  const values = panels.flatMap((panel) => panel.values);
  const scaleOf = (plotHeight: number) =>
    valueScale({
      values,
      between: [plotHeight, 0],
      isLog,
      ...(hasZero ? { hasZero } : {}),
      room: 46,
    });
  const head = wrapped(axisTitle(parts.valueLabel, scaleOf(300).from, isLog), width);
  const top = head.length * lineHeight + 10;
  const foot = 24;
  const usual = isGrid
    ? rows * (width / columns < 420 ? 190 : 220)
    : width < 560
      ? 300
      : Math.min(560, Math.max(400, width * 0.36));
  const height = wanted ?? usual + (isGrid ? top + foot : 0);
  const rowHeight = (height - top - foot) / rows;
  const plotHeight = Math.max(60, rowHeight - panelTop - xAxisHeight);
  const y = scaleOf(plotHeight);
  const tickWidth = Math.max(...y.ticks.map((tick) => textWidth(shortNumber(tick)))) + 10;
  const columnWidth = (width - (columns - 1) * gap) / columns;
  const names = labelWidth();
  const plotWidth = columnWidth - tickWidth - Math.max(names, 10);
  const x = xScale(zoom, plotWidth, aggregation);

  const shapes: Shape[] = head.map((line, i) => label([0, 12 + i * lineHeight], line, theme.text));
  const plots = panels.map((panel, i): PlacedPlot => {
    const left = (i % columns) * (columnWidth + gap) + tickWidth;
    const plotTop = top + Math.floor(i / columns) * rowHeight + panelTop;
    const plot = { left, top: plotTop, width: plotWidth, height: plotHeight, x, y };
    shapes.push(...titleShapes(panel, plot), ...axisShapes(plot));
    shapes.push({
      kind: 'group',
      x: left,
      y: plotTop,
      cut: { width: plotWidth, height: plotHeight },
      shapes: panel.draw(plot, theme),
    });
    if (names > 0) shapes.push(...endLabels(panel.ends?.(plot) ?? [], plot));
    return plot;
  });
  const bottom = top + rows * rowHeight + 14;
  shapes.push(
    label([tickWidth + (width - tickWidth) / 2, bottom], xLabel(aggregation), theme.text, {
      anchor: 'middle',
    }),
  );
  return { picture: { width, height, shapes, ...(names > 0 ? { isLabelled: true } : {}) }, plots };

  /** Of the widest name at the end of a line; 0 if they do not fit. */
  function labelWidth(): number {
    const probe: Plot = {
      width: columnWidth,
      height: plotHeight,
      x: xScale(zoom, columnWidth, aggregation),
      y,
    };
    const all = panels.map((panel) => panel.ends?.(probe) ?? []);
    const most = Math.max(0, ...all.map((ends) => ends.length));
    const widest = Math.max(0, ...all.flat().map(({ name }) => textWidth(name))) + 24;
    const fits =
      most > 1 && most * lineHeight <= plotHeight && widest <= Math.min(210, columnWidth * 0.3);
    return fits ? widest : 0;
  }

  function titleShapes({ title }: XyPanel, plot: PlacedPlot): readonly Shape[] {
    if (!isGrid) return [];
    const lines = wrapped(title, width / columns - 60);
    const first = plot.top - 8 - (lines.length - 1) * lineHeight;
    return lines.map((line, i) =>
      label([plot.left, first + i * lineHeight], line, theme.ink, { isBold: true }),
    );
  }

  function axisShapes(plot: PlacedPlot): readonly Shape[] {
    const [right, bottomEdge] = [plot.left + plot.width, plot.top + plot.height];
    const { baseline } = parts;
    return [
      ...y.ticks.flatMap((tick) => {
        const at = plot.top + y.at(tick);
        return [
          segment([plot.left, at], [right, at], theme.grid),
          label([plot.left - 8, at + 4], shortNumber(tick), theme.text, { anchor: 'end' }),
        ];
      }),
      ...(baseline === undefined
        ? []
        : [
            segment(
              [plot.left, plot.top + y.at(baseline)],
              [right, plot.top + y.at(baseline)],
              theme.text,
              1.5,
            ),
          ]),
      ...x.ticks.flatMap(({ x: value, text }) => {
        const at = plot.left + x.at(value);
        // A text at an edge would be cut off or meet the numbers of the values.
        const half = textWidth(text) / 2;
        const isCutOff = at + half > width || at - half < plot.left - tickWidth;
        return [
          segment([at, bottomEdge], [at, bottomEdge + 4], theme.text),
          ...(isCutOff
            ? []
            : [label([at, bottomEdge + 18], text, theme.text, { anchor: 'middle' as const })]),
        ];
      }),
    ];
  }

  function endLabels(ends: readonly LineEnd[], plot: PlacedPlot): readonly Shape[] {
    const sorted = ends.toSorted((a, b) => a.y - b.y);
    const places = apart(
      sorted.map((end) => end.y),
      plot.height,
    );
    return sorted.flatMap((end, i) => {
      const at = plot.top + (places[i] ?? end.y);
      const [from, to] = [plot.left + end.x, plot.left + plot.width];
      return [
        segment([from + 2, plot.top + end.y], [to + 14, at], end.colour, 1),
        label([to + 18, at + 4], end.name, theme.ink),
      ];
    });
  }
}

/** Moves labels apart that would overlap, and keeps them within the height. */
function apart(wanted: readonly number[], height: number): readonly number[] {
  const places = [...wanted];
  for (let i = 1; i < places.length; i++) {
    places[i] = Math.max(places[i] ?? 0, (places[i - 1] ?? 0) + lineHeight);
  }
  for (let i = places.length - 1, limit = height; i >= 0; i--, limit -= lineHeight) {
    places[i] = Math.min(places[i] ?? 0, limit);
    limit = places[i] ?? limit;
  }
  return places;
}
