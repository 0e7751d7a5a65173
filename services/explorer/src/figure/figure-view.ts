import type { Field } from '../../../../openapi/client/index.ts';
import type { DataApi } from '../api/data-api.ts';
import { fill, h, quietButton, select } from '../dom/h.ts';
import { figurePicture, type FigureParts } from '../drawing/figure-picture.ts';
import { svgElement } from '../drawing/svg.ts';
import { printTheme } from '../drawing/theme.ts';
import { fileName } from '../results/file-name.ts';
import type { QueryResponse } from '../results/query-response.ts';
import { isShown, type Series } from '../series/series.ts';
import type { DisplayOptions } from '../state/view-state.ts';
import { drawnCsv } from './drawn-csv.ts';
import { fileButtons } from './file-buttons.ts';
import {
  figureSizeKeys,
  type FigureFormat,
  figureSizes,
  type FigureSize,
  type FigureText,
  figureTextKeys,
  type FigureTexts,
  maxTextBytes,
  textBytes,
} from '../state/figure-options.ts';
import { figureTexts } from './figure-texts.ts';
import { householdCount } from './household-count.ts';

interface FigureViewParts extends Pick<FigureParts, 'chart'> {
  readonly api: DataApi;
  readonly fields: readonly Field[];
  readonly response: QueryResponse;
  /** All series, in the colours of the chart. */
  readonly coloured: (display: DisplayOptions) => readonly Series[];
  /** Whether a legend is needed, unless the drawing names its series. */
  readonly hasLegend: boolean;
  readonly onFigure: (figure: DisplayOptions['figure']) => void;
}

/** The chart as it is published: its texts are edited in place, and the page prints it alone. */
export function figureView({
  api,
  fields,
  response,
  coloured,
  chart,
  hasLegend,
  onFigure,
}: FigureViewParts) {
  let display: DisplayOptions;
  let households: number | undefined;
  let countedFor: string | undefined;
  const size = select<FigureSize>(
    figureSizeKeys.map((key) => [key, figureSizes[key].name]),
    'print',
    (chosen) => onFigure({ ...display.figure, size: chosen }),
    { 'aria-label': 'Size of the figure' },
  );
  const inputs = Object.fromEntries(figureTextKeys.map((key) => [key, textField(key)])) as Readonly<
    Record<FigureText, HTMLTextAreaElement>
  >;
  const preview = h('div', { class: 'figure-preview', 'aria-hidden': 'true' });
  const printed = h('div', { class: 'figure-print', 'aria-hidden': 'true' });
  const limit = h('p', { class: 'field-error', role: 'alert' });
  const element = h(
    'section',
    { class: 'card figure', 'aria-label': 'Figure' },
    h(
      'div',
      { class: 'panel-tools' },
      h('h3', {}, 'Figure'),
      size,
      fileButtons({
        name: () => fileName(response.query),
        picture: () => figurePicture(partsOf(0)),
        pngWidth: () => formatOf(display).pngWidth,
        csv: () => drawnCsv(response, display),
      }),
      quietButton('Close', () => onFigure({ ...display.figure, size: undefined })),
    ),
    h('p', { class: 'hint' }, 'Click a text to change it. The texts travel with the link.'),
    h(
      'div',
      { class: 'figure-scroll' },
      h('div', { class: 'figure-sheet' }, preview, ...figureTextKeys.map((key) => inputs[key])),
    ),
    limit,
    printed,
  );
  return { element, show };

  function show(shown: DisplayOptions): void {
    display = shown;
    const isOpen = shown.figure.size !== undefined;
    element.hidden = !isOpen;
    document.documentElement.classList.toggle('has-figure', isOpen);
    if (!isOpen) return;
    size.value = shown.figure.size;
    paint();
    void countHouseholds();
  }

  /** Again if other series are shown. */
  async function countHouseholds(): Promise<void> {
    const asked = JSON.stringify([display.switchedOff, display.switchedOn]);
    if (asked === countedFor) return;
    countedFor = asked;
    households = undefined;
    paint();
    const counted = await householdCount(api, response, display);
    if (asked !== countedFor) return;
    households = counted;
    paint();
  }

  function textsNow(): FigureTexts {
    return { ...figureTexts(response, display, fields, households), ...display.figure.texts };
  }

  function partsOf(emptyHeight: number): FigureParts {
    const { width, height } = formatOf(display);
    const shown = coloured(display).filter((one) => isShown(one, display));
    const legend = hasLegend && shown.length > 1 ? shown : [];
    const theme = printTheme;
    return { texts: textsNow(), chart, legend, theme, width, height, emptyHeight };
  }

  /** An empty text has some height on the page, so that it can be filled in again. */
  function paint(): void {
    const texts = textsNow();
    const drawn = figurePicture(partsOf(20));
    fill(preview, svgElement(drawn));
    fill(printed, svgElement(figurePicture(partsOf(0))));
    for (const key of figureTextKeys) {
      const { y, height } = drawn.places[key];
      const input = inputs[key];
      if (document.activeElement !== input) input.value = texts[key];
      input.style.setProperty('top', `${y}px`);
      input.style.setProperty('width', `${drawn.width - 2 * drawn.margin}px`);
      input.style.setProperty('height', `${height + 6}px`);
    }
  }

  function textField(key: FigureText): HTMLTextAreaElement {
    const name = `${key.charAt(0).toUpperCase()}${key.slice(1)}`;
    const input = h('textarea', {
      class: `figure-text figure-${key}`,
      'aria-label': `${name} of the figure`,
      placeholder: name,
      rows: 1,
      // A line break would be a space in the figure.
      onkeydown: (event: KeyboardEvent) => {
        if (event.key !== 'Enter') return;
        event.preventDefault();
        input.blur();
      },
      oninput: () => take(key, input.value.replace(/\s+/g, ' ')),
      onblur: () => paint(),
    });
    return input;
  }

  /** A text that is as the page writes it is not kept, so that it changes with the view. */
  function take(key: FigureText, text: string): void {
    const isUsual = text.trim() === figureTexts(response, display, fields, households)[key];
    const others = Object.entries(display.figure.texts).filter(([other]) => other !== key);
    const texts = Object.fromEntries(isUsual ? others : [...others, [key, text.trim()]]);
    const over = textBytes(texts) - maxTextBytes;
    limit.textContent =
      over > 0
        ? `The texts of a figure have at most ${maxTextBytes} bytes together: remove ${over}.`
        : '';
    if (over <= 0) onFigure({ ...display.figure, texts });
  }
}

function formatOf({ figure }: DisplayOptions): FigureFormat {
  return figureSizes[figure.size ?? 'print'];
}
