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
    const isShort = end - start <= Math.min(maxMarked, plot.width / 14);
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
  return columnsOf(run, (from, to) => {
    let [least, most] = [from, from];
    for (let i = from + 1; i < to; i++) {
      if ((run[i]?.y ?? 0) < (run[least]?.y ?? 0)) least = i;
      if ((run[i]?.y ?? 0) > (run[most]?.y ?? 0)) most = i;
    }
    const places = [from, Math.min(least, most), Math.max(least, most), to - 1];
    return places.flatMap((place, i) => (place === places[i - 1] ? [] : (run[place] ?? [])));
  });
}

/** The widest band of each column of pixels. */
function hullOf(run: readonly Vertex[]): Vertex[] {
  return columnsOf(run, (from, to) => {
    const first = run[from];
    if (first === undefined) return [];
    let { y, low } = first;
    for (let i = from + 1; i < to; i++) {
      y = Math.min(y, run[i]?.y ?? y);
      low = Math.max(low, run[i]?.low ?? low);
    }
    return [{ ...first, y, low }];
  });
}

function columnsOf(
  run: readonly Vertex[],
  reduce: (from: number, to: number) => readonly Vertex[],
): Vertex[] {
  const kept: Vertex[] = [];
  let from = 0;
  for (let i = 1; i <= run.length; i++) {
    const next = run[i];
    if (next !== undefined && Math.round(next.x) === Math.round(run[from]?.x ?? 0)) continue;
    // Most columns of a chart that is hardly reduced have one point.
    const only = i - from === 1 ? run[from] : undefined;
    if (only === undefined) kept.push(...reduce(from, i));
    else kept.push(only);
    from = i;
  }
  return kept;
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
      const { label, shortLabel = label, colourSlot } = owner.series;
      const [name, colour] = [shortLabel, theme.colourOf(colourSlot)];
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
