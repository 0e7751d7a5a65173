import type { AgentMetadata } from '../../../../openapi/client/index.ts';
import type { AgentHistory, MetadataApi } from '../api/metadata-api.ts';
import { h } from '../dom/h.ts';
import { count } from '../dom/number-text.ts';
import type { AgentLookup } from '../state/view-state.ts';
import { changeForm } from './change-form.ts';
import { historyTimeline } from './history-timeline.ts';
import { lookupText } from './lookup-form.ts';
import { metadataList } from './metadata-list.ts';

interface AgentViewParts {
  readonly api: MetadataApi;
  readonly lookup: AgentLookup;
  readonly current: AgentMetadata;
  readonly history: AgentHistory;
  /** Loads the agent again. */
  readonly onChanged: () => Promise<void>;
  readonly onDenied: () => void;
}

export function agentView(parts: AgentViewParts): HTMLElement {
  const { lookup, current, history } = parts;
  return h(
    'div',
    { class: 'agent' },
    h(
      'div',
      { class: 'agent-known' },
      h(
        'section',
        { class: 'card', 'aria-label': 'Current metadata' },
        h('h2', {}, lookupText(lookup)),
        h('p', { class: 'muted' }, 'Current metadata'),
        metadataList(current),
      ),
      h(
        'section',
        { class: 'card', 'aria-label': 'History' },
        h('h2', {}, 'History'),
        h('p', { class: 'muted' }, 'Newest first; times are UTC'),
        historyTimeline(history.periods),
        !history.isComplete &&
          h('p', { class: 'hint' }, `Only the newest ${count(history.periods.length)} are shown.`),
      ),
    ),
    h(
      'section',
      { class: 'card', 'aria-label': 'Change metadata' },
      h('h2', {}, 'Change metadata'),
      h('p', { class: 'muted' }, 'Only fields that you fill in are changed.'),
      changeForm(parts),
    ),
  );
}
