import { type ChartInk, faded } from '../chart/theme.ts';
import { label, segment, type Shape, textWidth, wrapped } from './shapes.ts';
import { valueAxis } from './value-axis.ts';

export interface Mark {
  readonly value: number;
  readonly low?: number | null;
  readonly high?: number | null;
  readonly shape: 'dot' | 'ring' | 'bar';
}

interface PictureRow {
  readonly name: string;
  readonly colour: string;
  readonly marks: readonly Mark[];
  /** At the right end. */
  readonly text: string;
}

interface RowsParts {
  readonly rows: readonly PictureRow[];
  readonly axisTitle: string;
  readonly ink: ChartInk;
  readonly width: number;
}

const lineHeight = 16;

/** One row per series: its name, dots, rings or bars with their intervals, and a text. */
export function rowsPicture({ rows, axisTitle, ink, width }: RowsParts) {
  const isNarrow = width < 560;
  const textRoom = Math.max(56, ...rows.map(({ text }) => textWidth(text) + 12));
  const nameRoom = isNarrow ? 0 : Math.min(width * 0.3, 24 + widest(rows));
  const left = nameRoom + 8;
  const axis = valueAxis({
    values: rows.flatMap(({ marks }) => marks.flatMap(endsOf)),
    left,
    width: Math.max(80, width - left - textRoom - 8),
    ink,
    title: axisTitle,
    hasZero: rows.some(({ marks }) => marks.some(({ shape }) => shape === 'bar')),
  });
  const shapes: Shape[] = [];
  /** Where each row is, for the tooltip. */
  const places: { y: number; height: number }[] = [];
  let y = 4;
  for (const row of rows) {
    const names = wrapped(row.name, isNarrow ? width : nameRoom - 8);
    const nameHeight = names.length * lineHeight;
    const height = isNarrow ? nameHeight + 26 : Math.max(34, nameHeight + 12);
    const middle = isNarrow ? y + nameHeight + 11 : y + height / 2;
    const firstLine = isNarrow ? y + 12 : middle - nameHeight / 2 + 12;
    shapes.push(
      ...names.map((name, i) => label([0, firstLine + i * lineHeight], name, ink.ink)),
      ...row.marks.flatMap((mark, i) =>
        // Two marks are one above the other, so that both intervals are seen.
        markShapes(mark, row.colour, middle + (i - (row.marks.length - 1) / 2) * 11),
      ),
      label([width, middle + 4], row.text, ink.ink, { anchor: 'end' }),
    );
    places.push({ y, height });
    y += height;
  }
  return { width, height: y + 48, shapes: [...axis.shapes(4, y), ...shapes], places };

  function markShapes(mark: Mark, colour: string, middle: number): readonly Shape[] {
    const x = axis.at(mark.value);
    const { low, high } = mark;
    const whisker =
      low == null || high == null ? [] : interval(axis.at(low), axis.at(high), middle);
    if (mark.shape === 'bar') {
      const zero = axis.at(0);
      const [from, to] = [Math.min(zero, x), Math.max(zero, x)];
      const size = { x: from, y: middle - 9, width: to - from, height: 18 };
      return [{ kind: 'rect', ...size, fill: colour }, ...whisker];
    }
    const fill = mark.shape === 'dot' ? colour : ink.surface;
    return [...whisker, { kind: 'circle', x, y: middle, radius: 5, fill, stroke: colour }];
  }

  function interval(from: number, to: number, middle: number): readonly Shape[] {
    const colour = faded(ink.ink, 0.75);
    return [
      segment([from, middle], [to, middle], colour, 2),
      segment([from, middle - 5], [from, middle + 5], colour, 2),
      segment([to, middle - 5], [to, middle + 5], colour, 2),
    ];
  }
}

function endsOf({ value, low, high }: Mark): readonly number[] {
  return [value, low ?? value, high ?? value];
}

function widest(rows: readonly PictureRow[]): number {
  return Math.max(...rows.map(({ name }) => textWidth(name)), 40);
}
