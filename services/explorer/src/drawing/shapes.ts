import { line } from 'd3-shape';

/**
 * What a drawing consists of: a chart builds shapes for a size and a theme, `svgElement` shows them on the page and
 * writes them to SVG files, and `pngBlob` paints them. All colours are attributes, so a file needs no style sheet.
 */
export type Shape = PathShape | RectShape | CircleShape | TextShape | GroupShape;

export type Place = readonly [x: number, y: number];

export interface PathShape {
  readonly kind: 'path';
  /** As in SVG, for example of `pathOf` or a d3 generator. */
  readonly d: string;
  readonly stroke?: string;
  readonly width?: number;
  readonly dash?: readonly number[];
  /** Ends are round: a line of almost no length is a dot. */
  readonly isRound?: boolean;
  readonly fill?: string;
  /** Lines inside of others are holes: the fill rule is evenodd. */
  readonly hasHoles?: boolean;
  /** What it shows, for tests: `interval` */
  readonly part?: string;
}

interface RectShape {
  readonly kind: 'rect';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly fill: string;
  readonly stroke?: string;
  /** What it shows, for tests: `bar` */
  readonly part?: string;
}

interface CircleShape {
  readonly kind: 'circle';
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  readonly fill: string;
  readonly stroke?: string;
}

export interface TextShape {
  readonly kind: 'text';
  readonly x: number;
  readonly y: number;
  readonly text: string;
  readonly fill: string;
  readonly size: number;
  readonly isBold?: boolean;
  readonly anchor?: 'start' | 'middle' | 'end';
}

/** Shapes at another place; with a size, cut off at its edges. */
interface GroupShape {
  readonly kind: 'group';
  readonly x: number;
  readonly y: number;
  readonly cut?: { readonly width: number; readonly height: number };
  readonly shapes: readonly Shape[];
}

/** The colours of a drawing. */
export interface Theme {
  readonly ink: string;
  /** Of axes and notes. */
  readonly text: string;
  readonly grid: string;
  readonly surface: string;
  readonly accent: string;
  /** Of a series, by its colour slot. */
  readonly colourOf: (slot: number) => string;
}

/** The size that a drawing is made for. Without a height it is as high as its content. */
export interface DrawingSize {
  readonly width: number;
  readonly height?: number;
  readonly theme: Theme;
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
  /** Whether each series has its name in the drawing, so that no legend is needed. */
  readonly isLabelled?: boolean;
}

export const pictureFont = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

const straight = line<Place>().digits(2);

/** Each line is drawn on its own: a line with gaps has several. */
export function pathOf(lines: readonly (readonly Place[])[]): string {
  return lines.map((one) => straight(one as Place[]) ?? '').join('');
}

export function segment(from: Place, to: Place, stroke: string, width = 1): PathShape {
  return { kind: 'path', d: pathOf([[from, to]]), stroke, width };
}

export function label(
  at: Place,
  text: string,
  fill: string,
  more: Partial<Pick<TextShape, 'size' | 'isBold' | 'anchor'>> = {},
): TextShape {
  return { kind: 'text', x: at[0], y: at[1], text, fill, size: 12, ...more };
}

/** Shapes of one picture at another place. */
export function moved(shapes: readonly Shape[], x: number, y: number): GroupShape {
  return { kind: 'group', x, y, shapes };
}

/** Average width of a character, as a part of the font size. */
const characterWidth = 0.56;

export function textWidth(text: string, size = 12): number {
  return text.length * size * characterWidth;
}

/**
 * Wraps a text to a width, after spaces and separators, and within a word only if it is longer than a line.
 * Cuts nothing, because names often differ only at their end.
 */
export function wrapped(text: string, width: number, size = 12): readonly string[] {
  const most = Math.max(8, Math.floor(width / (size * characterWidth)));
  const lines: string[] = [];
  let row = '';
  for (const part of text.split(/(?<=[ :/_.·,-])/).flatMap((one) => pieces(one, most))) {
    if (row !== '' && (row + part).trimEnd().length > most) {
      lines.push(row.trimEnd());
      row = '';
    }
    row += part;
  }
  return row === '' ? lines : [...lines, row.trimEnd()];
}

function pieces(word: string, most: number): readonly string[] {
  if (word.length <= most) return [word];
  return [word.slice(0, most), ...pieces(word.slice(most), most)];
}
