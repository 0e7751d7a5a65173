/** What a picture consists of. The same shapes are drawn on the page and written to PNG and SVG files. */
export type Shape = PathShape | RectShape | CircleShape | TextShape;

export type Place = readonly [x: number, y: number];

export interface PathShape {
  readonly kind: 'path';
  /** Each is drawn on its own: a line with gaps has several. */
  readonly lines: readonly (readonly Place[])[];
  readonly stroke?: string;
  readonly width?: number;
  readonly dash?: readonly number[];
  readonly fill?: string;
  /** Lines inside of others are holes: the fill rule is evenodd. */
  readonly hasHoles?: boolean;
}

interface RectShape {
  readonly kind: 'rect';
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly fill: string;
  readonly stroke?: string;
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
  /** Upwards, along a y axis. */
  readonly isTurned?: boolean;
}

export interface Picture {
  readonly width: number;
  readonly height: number;
  readonly shapes: readonly Shape[];
}

export const pictureFont = 'system-ui, -apple-system, "Segoe UI", Roboto, sans-serif';

export function segment(from: Place, to: Place, stroke: string, width = 1): PathShape {
  return { kind: 'path', lines: [[from, to]], stroke, width };
}

export function label(
  at: Place,
  text: string,
  fill: string,
  more: Partial<Pick<TextShape, 'size' | 'isBold' | 'anchor' | 'isTurned'>> = {},
): TextShape {
  return { kind: 'text', x: at[0], y: at[1], text, fill, size: 12, ...more };
}

/** Shapes of one picture at another place. */
export function moved(shapes: readonly Shape[], dx: number, dy: number): readonly Shape[] {
  return shapes.map((shape) =>
    shape.kind === 'path'
      ? {
          ...shape,
          lines: shape.lines.map((line) => line.map(([x, y]): Place => [x + dx, y + dy])),
        }
      : { ...shape, x: shape.x + dx, y: shape.y + dy },
  );
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
  let line = '';
  for (const part of text.split(/(?<=[ :/_.·,-])/).flatMap((one) => pieces(one, most))) {
    if (line !== '' && (line + part).trimEnd().length > most) {
      lines.push(line.trimEnd());
      line = '';
    }
    line += part;
  }
  return line === '' ? lines : [...lines, line.trimEnd()];
}

function pieces(word: string, most: number): readonly string[] {
  if (word.length <= most) return [word];
  return [word.slice(0, most), ...pieces(word.slice(most), most)];
}
