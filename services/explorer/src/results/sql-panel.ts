import { ApiError } from '../api/call-api.ts';
import type { DataApi } from '../api/data-api.ts';
import { copyButton } from '../dom/copy-button.ts';
import { fill, h } from '../dom/h.ts';
import { byteText, count } from '../dom/number-text.ts';
import { notice } from '../dom/notice.ts';
import type { Question } from '../state/view-state.ts';

/** The SQL behind the answer, to run in a ClickHouse client. */
export function sqlPanel(api: DataApi, question: Question): HTMLElement {
  const element = h('div', { class: 'code-panel' }, notice('loading', 'Asking for the SQL…'));
  void load();
  return element;

  async function load(): Promise<void> {
    try {
      const { inlined, estimate } = await api.explain(question);
      const reads = `By the primary key it reads at most ${count(estimate.rows)} rows, ${byteText(estimate.bytes)}.`;
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
      const message = error instanceof ApiError ? error.message : 'Something went wrong.';
      fill(element, notice('error', 'No SQL', h('p', {}, message)));
    }
  }
}
