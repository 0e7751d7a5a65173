import { area, line } from 'd3-shape';
import type { Line } from '../chart/line-data.ts';
import type { Zoom } from '../state/view-state.ts';
import type { Shape, Theme } from './shapes.ts';
import { dashOf, faded } from './theme.ts';
import type { LineEnd, Plot } from './xy-drawing.ts';

/** More points than this are reduced to the pixels that they reach. */
const maxPoints = 5000;
/** A short line shows its points. */
const maxMarked = 45;

interface Vertex {
  readonly x: number;
  readonly y: number;
  /** Of a band. */
  readonly low: number;
  readonly i: number;
}

const path = line<Vertex>(
  ({ x }) => x,
  ({ y }) => y,
).digits(1);
const bandPath = area<Vertex>()
  .x(({ x }) => x)
  .y0(({ low }) => low)
  .y1(({ y }) => y)
  .digits(1);

/** The lines of a plot: bands first, then percentiles and values, with partial points hollow and joined by dots. */
export function lineShapes(
  xs: readonly number[],
  lines: readonly Line[],
  zoom: Zoom,
  plot: Plot,
  theme: Theme,
): readonly Shape[] {
  const [start, end] = visibleIndexes(xs, zoom);
  const isReduced = (end - start) * lines.length > maxPoints;
  return [
    ...lines.filter(({ part }) => part === 'high').flatMap(bandOf),
    ...lines.flatMap(shapesOf),
  ];

  function bandOf(high: Line): readonly Shape[] {
    const low = lines.find((one) => one.owner === high.owner && one.part === 'low');
    const fill = faded(theme.colourOf(high.owner.series.colourSlot), 0.16);
    const d = runsOf(high.values, low?.values)
      .map((run) => bandPath(isReduced ? hullOf(run) : run) ?? '')
      .join('');
    return d === '' ? [] : [{ kind: 'path', d, fill, part: 'band' }];
  }

  function shapesOf({ owner, part, values }: Line): readonly Shape[] {
    if (part === 'high' || part === 'low') return [];
    const slot = owner.series.colourSlot;
    const colour = theme.colourOf(slot);
    const runs = runsOf(values);
    const d = runs.map((run) => path(isReduced ? extremesOf(run) : run) ?? '').join('');
    const drawn: Shape = {
      kind: 'path',
      d,
      stroke: part === 'value' ? colour : faded(colour, 0.75),
      width: part === 'value' ? 2 : 1,
      dash: part === 'value' ? dashOf(slot) : part === 'partial' ? [2, 5] : [3, 3],
      part,
    };
    const isShort = values.length <= maxMarked;
    const dots = runs.flatMap((run) =>
      run.flatMap(({ x, y, i }): readonly Shape[] => {
        const isPartial = owner.points[i]?.partial === true;
        if (part === 'partial' && isPartial) return [dot(x, y, theme.surface, colour)];
        // Between two gaps there is no line that would show a point.
        return part === 'value' && (isShort || run.length === 1) ? [dot(x, y, colour, colour)] : [];
      }),
    );
    return [drawn, ...dots];
  }

  /** The visible points without gaps. */
  function runsOf(values: Line['values'], lows?: Line['values']): readonly Vertex[][] {
    const runs: Vertex[][] = [];
    let isOpen = false;
    for (let i = start; i < end; i++) {
      const value = values[i];
      if (value == null || (lows !== undefined && lows[i] == null)) {
        isOpen = false;
        continue;
      }
      if (!isOpen) runs.push([]);
      isOpen = true;
      const low = plot.y.at(lows?.[i] ?? value);
      runs.at(-1)?.push({ x: plot.x.at(xs[i] ?? 0), y: plot.y.at(value), low, i });
    }
    return runs;
  }
}

function dot(x: number, y: number, fill: string, stroke: string): Shape {
  return { kind: 'circle', x, y, radius: 3.5, fill, stroke };
}

/** First, lowest, highest and last point of each column of pixels: what a line through all points would cover. */
function extremesOf(run: readonly Vertex[]): Vertex[] {
  return columnsOf(run).flatMap((column) => {
    const [first] = column;
    const last = column.at(-1);
    if (first === undefined || last === undefined) return [];
    let [least, most] = [first, first];
    for (const one of column) {
      if (one.y < least.y) least = one;
      if (one.y > most.y) most = one;
    }
    return [...new Set([first, least, most, last])].sort((a, b) => a.i - b.i);
  });
}

/** The widest band of each column of pixels. */
function hullOf(run: readonly Vertex[]): Vertex[] {
  return columnsOf(run).flatMap((column) => {
    const [first] = column;
    if (first === undefined) return [];
    const y = Math.min(...column.map((one) => one.y));
    const low = Math.max(...column.map((one) => one.low));
    return [{ ...first, y, low }];
  });
}

function columnsOf(run: readonly Vertex[]): readonly Vertex[][] {
  const columns: Vertex[][] = [];
  let current: number | undefined;
  for (const one of run) {
    const column = Math.round(one.x);
    if (column === current) columns.at(-1)?.push(one);
    else columns.push([one]);
    current = column;
  }
  return columns;
}

/** The visible points, and one beyond each edge, so that lines reach it. */
function visibleIndexes(xs: readonly number[], { min, max }: Zoom): readonly [number, number] {
  const first = xs.findIndex((x) => x >= min);
  const after = xs.findIndex((x) => x > max);
  return [Math.max(0, (first < 0 ? xs.length : first) - 1), after < 0 ? xs.length : after + 1];
}

/** Where each line ends, for its name. */
export function lineEnds(
  xs: readonly number[],
  lines: readonly Line[],
  zoom: Zoom,
  plot: Plot,
  theme: Theme,
): readonly LineEnd[] {
  return lines.flatMap(({ owner, part, values }) => {
    if (part !== 'value') return [];
    const partial = lines.find((one) => one.owner === owner && one.part === 'partial')?.values;
    for (let i = xs.length - 1; i >= 0; i--) {
      const [x, value] = [xs[i] ?? 0, values[i] ?? partial?.[i]];
      if (value == null || x > zoom.max || x < zoom.min) continue;
      const [name, colour] = [owner.series.label, theme.colourOf(owner.series.colourSlot)];
      return [{ name, colour, x: plot.x.at(x), y: plot.y.at(value) }];
    }
    return [];
  });
}

/** The values that are visible, which the axis must cover. */
export function visibleValues(
  xs: readonly number[],
  lines: readonly Line[],
  { min, max }: Zoom,
): readonly number[] {
  return lines.flatMap(({ values }) =>
    values.filter(
      (value, i): value is number => value != null && (xs[i] ?? 0) >= min && (xs[i] ?? 0) <= max,
    ),
  );
}
