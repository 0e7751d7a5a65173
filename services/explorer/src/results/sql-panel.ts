import { ApiError, unexpectedError } from '../api/api-error.ts';
import type { DataApi } from '../api/data-api.ts';
import { copyButton } from '../dom/copy-button.ts';
import { fill, h } from '../dom/h.ts';
import { byteText, count } from '../dom/number-text.ts';
import { notice } from '../dom/notice.ts';
import type { Query } from '../state/view-state.ts';

/** The SQL of the query, to run in a ClickHouse client. */
export function sqlPanel(api: DataApi, query: Query): HTMLElement {
  const element = h('div', { class: 'code-panel' }, notice('loading', 'Loading the SQL…'));
  void load();
  return element;

  async function load(): Promise<void> {
    try {
      const { inlined, estimate } = await api.explain(query);
      const reads = `Reads at most ${count(estimate.rows)} rows, ${byteText(estimate.bytes)}, according to the primary key.`;
      fill(
        element,
        h(
          'div',
          { class: 'panel-tools' },
          h('p', { class: 'hint' }, reads),
          copyButton('Copy SQL', () => inlined),
        ),
        h('pre', { tabindex: 0, 'aria-label': 'SQL' }, h('code', {}, inlined)),
      );
    } catch (error) {
      const message = error instanceof ApiError ? error.message : unexpectedError;
      fill(element, notice('error', 'Loading the SQL failed', h('p', {}, message)));
    }
  }
}
