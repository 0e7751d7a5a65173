import { announce } from '../dom/announce.ts';
import { h, quietButton } from '../dom/h.ts';
import { pngBlob } from '../drawing/png.ts';
import type { Picture } from '../drawing/shapes.ts';
import { svgText } from '../drawing/svg.ts';

interface FileButtonsParts {
  /** Without an extension. */
  readonly name: () => string;
  readonly picture: () => Picture;
  readonly pngWidth: () => number;
  readonly csv: () => string;
}

/** Buttons that save a figure and its data as files. */
export function fileButtons({ name, picture, pngWidth, csv }: FileButtonsParts): HTMLElement {
  const svg = () => new Blob([svgText(picture())], { type: 'image/svg+xml' });
  const data = () => new Blob([csv()], { type: 'text/csv' });
  return h(
    'div',
    { class: 'picture-files', role: 'group', 'aria-label': 'Save the figure' },
    file('PNG', 'png', () => pngBlob(picture(), pngWidth())),
    file('SVG', 'svg', svg),
    // The browser's print has PDF as a printer. The style sheet prints only the figure.
    quietButton('PDF', () => print(), { 'aria-label': 'Print or save as PDF' }),
    file('Data', 'csv', data, 'Save the data as CSV'),
  );

  function file(
    kind: string,
    extension: string,
    content: () => Blob | Promise<Blob>,
    label = `Save as ${kind}`,
  ): HTMLButtonElement {
    return quietButton(kind, () => void save(), { 'aria-label': label });

    async function save(): Promise<void> {
      try {
        const url = URL.createObjectURL(await content());
        h('a', { href: url, download: `${name()}.${extension}` }).click();
        // The browser reads the file after the click.
        setTimeout(() => URL.revokeObjectURL(url), 60_000);
        announce(`${kind} saved`);
      } catch {
        announce(`The ${kind} could not be created`);
      }
    }
  }
}
