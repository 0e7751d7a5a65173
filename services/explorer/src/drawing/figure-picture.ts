import type { FigureText, FigureTexts } from '../state/figure-options.ts';
import type { Series } from '../series/series.ts';
import {
  type DrawingSize,
  label,
  moved,
  type Picture,
  segment,
  type Shape,
  textWidth,
  type Theme,
  wrapped,
} from './shapes.ts';
import { dashOf } from './theme.ts';

export interface FigureParts {
  readonly texts: FigureTexts;
  readonly chart: (size: DrawingSize) => Picture;
  /** Left out if the drawing names its series itself. */
  readonly legend: readonly Series[];
  readonly theme: Theme;
  readonly width: number;
  /** Default: as high as its content. */
  readonly height: number | undefined;
  /** The room of a text that is empty. */
  readonly emptyHeight: number;
}

/** Where each text is, to edit it there. */
export interface FigurePicture extends Picture {
  readonly margin: number;
  readonly places: Readonly<Record<FigureText, { readonly y: number; readonly height: number }>>;
}

interface Block {
  readonly height: number;
  readonly shapes: readonly Shape[];
}

const margin = 24;
const leastChartHeight = 160;

/** A picture that explains itself: title, subtitle, chart, legend, note and source. */
export function figurePicture(parts: FigureParts): FigurePicture {
  const { width, height } = parts;
  const picture = pictureOf(parts);
  if (height === undefined || picture.height <= height || width > widest) return picture;
  // Content that is too high for the format gets more room in the same proportions, and is smaller on the slide.
  return figurePicture({ ...parts, width: width * 1.1, height: height * 1.1 });
}

const widest = 2400;

function pictureOf({
  texts,
  chart,
  legend,
  theme,
  width,
  height: wanted,
  emptyHeight,
}: FigureParts): FigurePicture {
  const inner = width - 2 * margin;
  const title = textBlock(texts.title, { size: 19, fill: theme.ink, isBold: true });
  const subtitle = textBlock(texts.subtitle, { size: 13, fill: theme.text });
  const note = textBlock(texts.note, { size: 11, fill: theme.text });
  const source = textBlock(texts.source, { size: 11, fill: theme.text });
  const heads = title.height + 4 + subtitle.height + 14;
  const feet = 10 + note.height + 4 + source.height;
  // A drawing names its series if they all have room, which does not depend on the height.
  const isLabelled = legend.length === 0 || chart({ width: inner, theme }).isLabelled === true;
  const keys = isLabelled ? { height: 0, shapes: [] } : legendBlock(legend, inner, theme);
  const room = (wanted ?? 0) - 2 * margin - heads - keys.height - feet;
  const drawn = chart({
    width: inner,
    theme,
    ...(wanted === undefined ? {} : { height: Math.max(room, leastChartHeight) }),
  });
  let y = margin;
  const shapes: Shape[] = [];
  const put = ({ height, shapes: own }: Block, gap: number) => {
    const top = y;
    shapes.push(moved(own, margin, top));
    y += height + gap;
    return { y: top, height };
  };
  const places = { title: put(title, 4), subtitle: put(subtitle, 14) };
  put(drawn, 0);
  put(keys, 10);
  const feetPlaces = { note: put(note, 4), source: put(source, 0) };
  const height = Math.max(wanted ?? 0, y + margin);
  const background: Shape = { kind: 'rect', x: 0, y: 0, width, height, fill: theme.surface };
  return {
    width,
    height,
    margin,
    places: { ...places, ...feetPlaces },
    shapes: [background, ...shapes],
  };

  function textBlock(
    text: string,
    { size, fill, isBold = false }: { size: number; fill: string; isBold?: boolean },
  ): Block {
    if (text === '') return { height: emptyHeight, shapes: [] };
    const lines = wrapped(text, inner, size);
    const lineHeight = size * 1.35;
    return {
      height: lines.length * lineHeight,
      shapes: lines.map((line, i) =>
        label([0, (i + 0.8) * lineHeight], line, fill, { size, isBold }),
      ),
    };
  }
}

/** The colours and dashes of the series with their names. */
function legendBlock(all: readonly Series[], width: number, theme: Theme): Block {
  const shapes: Shape[] = [];
  let [x, line] = [0, 22];
  for (const { label: name, colourSlot: slot } of all) {
    const room = 34 + textWidth(name) + 12;
    if (x > 0 && x + room > width) [x, line] = [0, line + 20];
    const at = x;
    shapes.push({
      ...segment([at, line - 4], [at + 24, line - 4], theme.colourOf(slot), 3),
      dash: dashOf(slot),
    });
    const lines = wrapped(name, width - 40);
    shapes.push(...lines.map((one, i) => label([at + 32, line + 16 * i], one, theme.ink)));
    line += 16 * (lines.length - 1);
    x += room;
  }
  return { height: line + 6, shapes };
}
