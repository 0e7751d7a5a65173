import { announce } from '../dom/announce.ts';
import { h } from '../dom/h.ts';
import { pngBlob } from './png.ts';
import type { Picture } from './shapes.ts';
import { svgText } from './svg.ts';

/** Buttons that save the chart as a file. */
export function pictureButtons(name: () => string, picture: () => Picture): HTMLElement {
  const svg = () => Promise.resolve(new Blob([svgText(picture())], { type: 'image/svg+xml' }));
  const button = (kind: string, content: () => Promise<Blob>) =>
    h(
      'button',
      {
        type: 'button',
        class: 'quiet',
        'aria-label': `Save as ${kind}`,
        onclick: () => void save(kind, content),
      },
      kind,
    );
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
      announce(`The ${kind} could not be made`);
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
