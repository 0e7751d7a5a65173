import { ApiError, unexpectedError } from '../api/api-error.ts';
import type { Agent, AgentChange } from '../../../../openapi/client/index.ts';
import type { AgentChanges, AgentHistory, MetadataApi } from '../api/metadata-api.ts';
import { fill, h } from '../dom/h.ts';
import { changeDiff } from './change-diff.ts';
import { recordedText } from './time-text.ts';
import { undoUpdate } from './undo-update.ts';

interface ChangeListParts {
  readonly api: MetadataApi;
  readonly agent: Agent;
  readonly history: AgentHistory;
  readonly changes: AgentChanges;
  readonly onChanged: (message: string) => Promise<void>;
  readonly onDenied: () => void;
}

/** The changes of an agent with their authors. The last one can be undone by a new change. */
export function changeList(parts: ChangeListParts): HTMLElement {
  const { changes } = parts.changes;
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
        index === 0 && undoControl(change, parts),
      ),
    ),
  );
}

function undoControl(change: AgentChange, parts: ChangeListParts): HTMLElement {
  const { api, agent, history, onChanged, onDenied } = parts;
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
    const start = h('button', { type: 'button', onclick: confirm }, 'Undo');
    fill(element, start);
  }

  /** The values before and after the undo are those of the change, the other way round. */
  function confirm(): void {
    const restore = h(
      'button',
      { type: 'button', class: 'primary', onclick: () => void send() },
      'Restore',
    );
    fill(
      element,
      h('p', {}, 'This brings back the values from before, as a new change. Nothing is deleted.'),
      h(
        'div',
        { class: 'buttons' },
        restore,
        h('button', { type: 'button', onclick: offer }, 'Cancel'),
      ),
    );
    restore.focus();
  }

  async function send(): Promise<void> {
    for (const button of element.querySelectorAll('button')) button.disabled = true;
    try {
      await api.change(agent.agentId, update);
      await onChanged('The change was undone');
    } catch (error) {
      const failure = error instanceof ApiError ? error : undefined;
      if (failure?.isDenied === true) {
        onDenied();
        return;
      }
      const isRefused = failure !== undefined && failure.status >= 400 && failure.status < 500;
      const message = `${failure?.message ?? unexpectedError}${isRefused ? ' Nothing was changed.' : ''}`;
      offer();
      element.prepend(h('p', { class: 'field-error', role: 'alert' }, message));
    }
  }
}
