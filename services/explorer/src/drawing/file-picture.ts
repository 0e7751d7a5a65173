import { dashOf } from './theme.ts';
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
import type { Series } from '../series/series.ts';
import { announce } from '../dom/announce.ts';
import { h, quietButton } from '../dom/h.ts';
import { pngBlob } from './png.ts';
import { svgText } from './svg.ts';

interface FileParts {
  readonly title: string;
  /** Every option that changes the numbers. */
  readonly subtitle: string;
  readonly source: string;
  readonly chart: (size: DrawingSize) => Picture;
  /** Left out if the drawing names its series itself. */
  readonly legend: readonly Series[];
  readonly theme: Theme;
}

const width = 1000;
const margin = 28;

/** A picture that explains itself: title, options, chart, legend and source. */
export function filePicture({ title, subtitle, source, chart, legend, theme }: FileParts): Picture {
  const inner = width - 2 * margin;
  const shapes: Shape[] = [];
  let y = margin;
  const put = (text: string, size: number, fill: string, isBold = false) => {
    for (const line of wrapped(text, inner, size)) {
      y += size * 1.35;
      shapes.push(label([margin, y], line, fill, { size, isBold }));
    }
  };
  put(title, 20, theme.ink, true);
  put(subtitle, 12.5, theme.text);
  y += 18;
  const drawn = chart({ width: inner, theme });
  shapes.push(moved(drawn.shapes, margin, y));
  y += drawn.height + 8;
  if (legend.length > 0 && drawn.isLabelled !== true) y = putLegend(legend, y);
  y += 6;
  put(source, 11, theme.text);
  const height = y + margin;
  const background: Shape = { kind: 'rect', x: 0, y: 0, width, height, fill: theme.surface };
  return { width, height, shapes: [background, ...shapes] };

  function putLegend(all: readonly Series[], top: number): number {
    let [x, line] = [margin, top + 14];
    for (const series of all) {
      const room = 34 + textWidth(series.label) + 12;
      if (x > margin && x + room > width - margin) [x, line] = [margin, line + 20];
      const slot = series.colourSlot;
      const stroke = {
        ...segment([x, line - 4], [x + 24, line - 4], theme.colourOf(slot), 3),
        dash: dashOf(slot),
      };
      const [first = '', ...rest] = wrapped(series.label, width - 2 * margin - 40);
      shapes.push(stroke, label([x + 32, line], first, theme.ink));
      for (const more of rest) {
        line += 16;
        shapes.push(label([x + 32, line], more, theme.ink));
      }
      x += room;
    }
    return line + 6;
  }
}

/** Buttons that save the chart as a file. */
export function pictureButtons(name: () => string, picture: () => Picture): HTMLElement {
  const svg = () => Promise.resolve(new Blob([svgText(picture())], { type: 'image/svg+xml' }));
  const button = (kind: string, content: () => Promise<Blob>) =>
    quietButton(kind, () => void save(kind, content), { 'aria-label': `Save as ${kind}` });
  return h(
    'div',
    { class: 'picture-files', role: 'group', 'aria-label': 'Save the chart' },
    button('PNG', () => pngBlob(picture())),
    button('SVG', svg),
  );

  async function save(kind: string, content: () => Promise<Blob>): Promise<void> {
    try {
      const url = URL.createObjectURL(await content());
      const link = h('a', { href: url, download: `${fileName(name())}.${kind.toLowerCase()}` });
      link.click();
      // The browser reads the file after the click.
      setTimeout(() => URL.revokeObjectURL(url), 60_000);
      announce(`${kind} saved`);
    } catch {
      announce(`The ${kind} could not be created`);
    }
  }
}

/** Letters, digits and dashes only: a name may come from data. */
function fileName(text: string): string {
  const plain = text
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]+/gu, '-')
    .replace(/^-+|-+$/g, '')
    .toLowerCase();
  return plain === '' ? 'chart' : plain.slice(0, 80);
}
