import { faded } from './theme.ts';
import { readableOn } from '../views/colour-scale.ts';
import {
  type DrawingSize,
  label,
  moved,
  pathOf,
  type Picture,
  segment,
  type Shape,
  textWidth,
  wrapped,
} from './shapes.ts';
import { valueAxis } from './value-axis.ts';

export interface Mark {
  readonly value: number;
  readonly low?: number | null;
  readonly high?: number | null;
  /** A tick is a short line across a bar. */
  readonly shape: 'dot' | 'ring' | 'bar' | 'tick';
  /** Next to it, away from the other mark of the row. */
  readonly text?: string;
}

interface PictureRow {
  readonly name: string;
  readonly colour: string;
  /** Two dots are joined by a line. */
  readonly marks: readonly Mark[];
  /** Parts of a stacked bar, from the left, in the unit of the axis. */
  readonly segments?: readonly { readonly share: number; readonly fill: string }[];
  /** A heading above the first row that has it. */
  readonly group?: string;
  /** At the right end. */
  readonly text: string;
  /** The text is less prominent than others. */
  readonly isFaint?: boolean;
}

export interface RowsParts {
  /** Above the rows: what the shapes mean. */
  readonly heading?: string;
  readonly rows: readonly PictureRow[];
  readonly axisTitle: string;
  /** Whether values are measured from 0, which has a stronger line. */
  readonly isFromZero?: boolean;
  readonly isLog?: boolean;
  /** Of the axis, whatever the values. */
  readonly ends?: readonly number[];
}

/** Where each row is, for the tooltip. */
interface RowPlace {
  readonly y: number;
  readonly height: number;
}

export interface RowsDrawing extends Picture {
  readonly places: readonly RowPlace[];
}

const lineHeight = 16;
/** Of both charts: two of them need as much as one with its names in a column. */
const narrow = 720;

/** Both charts of the same rows: beside each other if there is room, otherwise one above the other. */
export function twoRowsDrawings(
  [first, second]: readonly [RowsParts, RowsParts],
  { theme, width }: DrawingSize,
): RowsDrawing {
  if (width < narrow) {
    const above = rowsDrawing(first, { theme, width });
    const below = rowsDrawing(second, { theme, width });
    const top = above.height + 12;
    return {
      width,
      height: top + below.height,
      shapes: [...above.shapes, moved(below.shapes, 0, top)],
      places: above.places,
    };
  }
  const [leftWidth, gap] = [Math.round(width * 0.6), 20];
  const left = rowsDrawing(first, { theme, width: leftWidth });
  const unnamed = { ...second, rows: second.rows.map((row) => ({ ...row, name: '' })) };
  const right = rowsDrawing(unnamed, { theme, width: width - leftWidth - gap }, left.places);
  return {
    width,
    height: Math.max(left.height, right.height),
    shapes: [...left.shapes, moved(right.shapes, leftWidth + gap, 0)],
    places: left.places,
  };
}

/**
 * One row per series: its name, dots, rings or bars with their intervals, and a text. With `beside`, rows are as high as
 * those of another picture, which has their names.
 */
export function rowsDrawing(
  { heading = '', rows, axisTitle, isFromZero = false, isLog, ends = [] }: RowsParts,
  { theme, width }: DrawingSize,
  beside?: readonly RowPlace[],
): RowsDrawing {
  const headings = heading === '' ? [] : wrapped(heading, width);
  // Beside another picture there is no name, and half of a page has room for one.
  const isNarrow = beside === undefined && width < 440;
  const texts = rows.map(({ text }) => textWidth(text) + 12);
  const textRoom = rows.every(({ text }) => text === '') ? 8 : Math.max(56, ...texts);
  const nameRoom = isNarrow || beside !== undefined ? 0 : Math.min(width * 0.38, 24 + widest(rows));
  const markRoom = Math.max(
    0,
    ...rows.flatMap(({ marks }) =>
      marks.map(({ text = '' }) => (text === '' ? 0 : textWidth(text, 11) + 14)),
    ),
  );
  const left = nameRoom + (isNarrow ? 16 : 8) + markRoom;
  const axis = valueAxis({
    values: [...ends, ...rows.flatMap(({ marks }) => marks.flatMap(endsOf))],
    isLog,
    left,
    width: Math.max(80, width - left - textRoom - markRoom - 8),
    theme,
    title: axisTitle,
    hasZero: isFromZero || rows.some(({ marks }) => marks.some(({ shape }) => shape === 'bar')),
  });
  const shapes: Shape[] = headings.map((line, i) =>
    label([0, 12 + i * lineHeight], line, theme.ink),
  );
  const places: RowPlace[] = [];
  const ownTop = headings.length === 0 ? 4 : headings.length * lineHeight + 12;
  const top = beside?.[0]?.y ?? ownTop;
  let y = top;
  for (const [i, row] of rows.entries()) {
    if (row.group !== undefined && row.group !== rows[i - 1]?.group) {
      if (beside === undefined)
        shapes.push(label([0, y + 20], row.group, theme.ink, { isBold: true }));
      y = beside?.[i]?.y ?? y + 30;
    }
    const names = row.name === '' ? [] : wrapped(row.name, isNarrow ? width : nameRoom - 8);
    const nameHeight = names.length * lineHeight;
    const ownHeight = isNarrow ? nameHeight + 26 : Math.max(34, nameHeight + 12);
    const height = beside?.[i]?.height ?? ownHeight;
    const middle = isNarrow ? y + nameHeight + 11 : y + height / 2;
    const firstLine = isNarrow ? y + 12 : middle - nameHeight / 2 + 12;
    const fill = row.isFaint === true ? theme.text : theme.ink;
    shapes.push(
      ...names.map((name, line) => label([0, firstLine + line * lineHeight], name, theme.ink)),
      ...segmentShapes(row, middle),
      ...joint(row, middle),
      ...row.marks.flatMap((mark) => markShapes(mark, row, middle)),
      label([width, middle + 4], row.text, fill, { anchor: 'end' }),
    );
    places.push({ y, height });
    y += height;
  }
  const zero = isFromZero ? [segment([axis.at(0), top], [axis.at(0), y], theme.text, 1.5)] : [];
  const below = axis.shapes(top, y);
  return {
    width,
    height: y + 34 + axis.titleHeight,
    shapes: [...below, ...zero, ...shapes],
    places,
  };

  function segmentShapes({ segments = [] }: PictureRow, middle: number): readonly Shape[] {
    let sum = 0;
    return segments.flatMap(({ share, fill }): readonly Shape[] => {
      const [from, to] = [axis.at(sum), axis.at(sum + share)];
      sum += share;
      const text = `${Math.round(share)}`;
      const size = { x: from, y: middle - 10, width: to - from, height: 20 };
      const ink = readableOn(fill, [theme.ink, theme.surface]);
      return [
        { kind: 'rect', ...size, fill, stroke: theme.surface, part: 'class' },
        ...(to - from > textWidth(text, 11) + 8
          ? [label([(from + to) / 2, middle + 4], text, ink, { anchor: 'middle', size: 11 })]
          : []),
      ];
    });
  }

  function joint({ marks, colour }: PictureRow, middle: number): readonly Shape[] {
    const [first, second] = marks;
    if (first === undefined || second === undefined || first.shape === 'bar') return [];
    const [from, to] = [axis.at(first.value), axis.at(second.value)];
    return [segment([from, middle], [to, middle], faded(colour, 0.45), 5)];
  }

  function markShapes(mark: Mark, row: PictureRow, middle: number): readonly Shape[] {
    const x = axis.at(mark.value);
    const { low, high } = mark;
    const whisker =
      low == null || high == null ? [] : interval(axis.at(low), axis.at(high), middle);
    if (mark.shape === 'bar') {
      const zeroAt = axis.at(0);
      const [from, to] = [Math.min(zeroAt, x), Math.max(zeroAt, x)];
      const size = { x: from, y: middle - 9, width: to - from, height: 18 };
      return [{ kind: 'rect', ...size, fill: row.colour, part: 'bar' }, ...whisker];
    }
    if (mark.shape === 'tick') {
      return [segment([x, middle - 12], [x, middle + 12], theme.text, 2)];
    }
    const fill = mark.shape === 'dot' ? row.colour : theme.surface;
    const dot: Shape = { kind: 'circle', x, y: middle, radius: 5, fill, stroke: row.colour };
    return [...whisker, dot, ...markText(mark, row, x, middle)];
  }

  function markText(mark: Mark, { marks }: PictureRow, x: number, y: number): readonly Shape[] {
    if (mark.text === undefined) return [];
    const other = marks.find((one) => one !== mark);
    // Of equal values the first is on the left.
    const isLeft =
      other !== undefined &&
      (mark.value < other.value || (mark.value === other.value && mark === marks[0]));
    const anchor = isLeft ? 'end' : 'start';
    return [label([x + (isLeft ? -9 : 9), y + 4], mark.text, theme.ink, { anchor, size: 11 })];
  }

  function interval(from: number, to: number, middle: number): readonly Shape[] {
    const d = pathOf([
      [
        [from, middle],
        [to, middle],
      ],
      [
        [from, middle - 5],
        [from, middle + 5],
      ],
      [
        [to, middle - 5],
        [to, middle + 5],
      ],
    ]);
    return [{ kind: 'path', d, stroke: faded(theme.ink, 0.75), width: 2, part: 'interval' }];
  }
}

function endsOf({ value, low, high }: Mark): readonly number[] {
  return [value, low ?? value, high ?? value];
}

function widest(rows: readonly PictureRow[]): number {
  return Math.max(...rows.map(({ name }) => textWidth(name)), 40);
}
