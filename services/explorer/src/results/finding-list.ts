import { copyButton } from '../dom/copy-button.ts';
import { fill, h } from '../dom/h.ts';
import { partsText, sentenceOf } from '../series/comparison-words.ts';
import type { DisplayOptions } from '../state/view-state.ts';
import { comparedRows } from '../views/comparison-chart.ts';
import type { QueryResponse } from './query-response.ts';

/** A sentence to quote per series of a comparison. */
export function findingList(response: QueryResponse) {
  const { metric, sides, query } = response;
  const list = h('ul', { class: 'findings-list' });
  let lines: readonly string[] = [];
  const title = `${metric.name}: ${sides.here} compared with ${sides.there}`;
  const element = h(
    'section',
    { class: 'card findings', 'aria-label': 'Sentences to quote' },
    h(
      'div',
      { class: 'panel-tools' },
      h('h3', {}, 'Sentences to quote'),
      copyButton('Copy sentences', () => [title, ...lines].join('\n')),
    ),
    h('p', { class: 'hint' }, `${title}.`),
    list,
  );
  return {
    element,
    show: (display: DisplayOptions) => {
      const rows = comparedRows({ ...response, display });
      const parts = { metric, sides, hasSplits: query.splits.length > 0 };
      const sentences = rows.map((row) => ({
        text: sentenceOf(row, parts),
        parts: partsText(row),
      }));
      lines = sentences.map(({ text }) => text);
      fill(
        list,
        ...sentences.map((one) =>
          h(
            'li',
            {},
            h('p', {}, one.text),
            one.parts !== undefined && h('p', { class: 'hint' }, one.parts),
          ),
        ),
      );
    },
  };
}
