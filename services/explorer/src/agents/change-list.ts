import { failureOf } from '../api/api-error.ts';
import type { AgentChange } from '../../../../openapi/client/index.ts';
import { button, fill, h } from '../dom/h.ts';
import type { AgentContext } from './agent-context.ts';
import { changeDiff } from './metadata-list.ts';
import { recordedText } from './time-text.ts';
import { undoUpdate } from './undo-update.ts';

/** The changes of an agent with their authors. The last one can be undone by a new change. */
export function changeList(context: AgentContext): HTMLElement {
  const { items: changes } = context.changes;
  if (changes.length === 0) return h('p', { class: 'hint' }, 'This agent was never changed.');
  return h(
    'ol',
    { class: 'changes' },
    ...changes.map((change, index) =>
      h(
        'li',
        {},
        h('h3', {}, recordedText(change.recordedAt, change.recordedBy)),
        changeDiff(change),
        index === 0 && undoControl(change, context),
      ),
    ),
  );
}

function undoControl(
  change: AgentChange,
  { api, agent, history, onChanged, onDenied }: AgentContext,
): HTMLElement {
  const undo = undoUpdate(change, history, Date.now());
  const element = h('div', { class: 'undo' });
  if ('reason' in undo) {
    fill(element, h('p', { class: 'hint' }, undo.reason));
    return element;
  }
  const { update } = undo;
  offer();
  return element;

  function offer(): void {
    fill(element, button('Undo', confirm));
  }

  /** No preview: the undo swaps the change's old and new values, which are shown above. */
  function confirm(): void {
    const restore = button('Restore', () => void send(), { class: 'primary' });
    fill(
      element,
      h('p', {}, 'This restores the previous values with a new change. Nothing is deleted.'),
      h('div', { class: 'buttons' }, restore, button('Cancel', offer)),
    );
    restore.focus();
  }

  async function send(): Promise<void> {
    for (const button of element.querySelectorAll('button')) button.disabled = true;
    try {
      await api.change(agent.agentId, update);
      await onChanged('The change was undone');
    } catch (error) {
      const { isDenied, status, message } = failureOf(error);
      if (isDenied) {
        onDenied();
        return;
      }
      const isRefused = status >= 400 && status < 500;
      const text = `${message}${isRefused ? ' Nothing was changed.' : ''}`;
      offer();
      element.prepend(h('p', { class: 'field-error', role: 'alert' }, text));
    }
  }
}
