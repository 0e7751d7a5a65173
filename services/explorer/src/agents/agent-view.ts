import type { Agent, AgentMetadata } from '../../../../openapi/client/index.ts';
import type { AgentChanges, AgentHistory, MetadataApi } from '../api/metadata-api.ts';
import { h } from '../dom/h.ts';
import { count } from '../dom/number-text.ts';
import { viewToFragment } from '../state/url-state.ts';
import { defaultDisplay, type ViewState } from '../state/view-state.ts';
import { changeForm } from './change-form.ts';
import { changeList } from './change-list.ts';
import { historyTimeline } from './history-timeline.ts';
import { metadataList } from './metadata-list.ts';

export interface AgentDetails {
  readonly agent: Agent;
  readonly current: AgentMetadata;
  readonly history: AgentHistory;
  readonly changes: AgentChanges;
}

interface AgentViewParts extends AgentDetails {
  readonly api: MetadataApi;
  readonly view: ViewState;
  /** Loads the agent again, and then shows a message. */
  readonly onChanged: (message: string) => Promise<void>;
  readonly onDenied: () => void;
}

export function agentView(parts: AgentViewParts): HTMLElement {
  const { agent, current, history, changes, view } = parts;
  return h(
    'div',
    { class: 'agent' },
    h(
      'div',
      { class: 'agent-known' },
      h(
        'section',
        { class: 'card', 'aria-label': 'Current metadata' },
        h('h2', {}, agent.agentId),
        h('p', { class: 'muted' }, identifiersOf(agent)),
        metadataList(current),
        h(
          'p',
          { class: 'agent-links' },
          h('a', { href: `#${resultsOf(agent, view)}` }, 'See this household’s results'),
          h('a', { href: `#${allAgents(view)}` }, 'All agents'),
        ),
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
      h(
        'section',
        { class: 'card', 'aria-label': 'Changes' },
        h('h2', {}, 'Changes'),
        h('p', { class: 'muted' }, 'Who recorded what, and when; newest first'),
        changeList(parts),
        !changes.isComplete &&
          h('p', { class: 'hint' }, `Only the newest ${count(changes.changes.length)} are shown.`),
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

function identifiersOf({ unitId, macAddress, kind }: Agent): string {
  const parts = [kind, unitId !== null && `unit ${unitId}`, macAddress !== null && macAddress];
  return parts.filter((part) => part !== false).join(' · ');
}

/** The chart that is on the other tab, of this agent alone. */
function resultsOf({ agentId }: Agent, view: ViewState): string {
  const filters = [{ id: 'agent', mode: 'include', values: [agentId] }] as const;
  const query = { ...view.query, splits: [], filters };
  return viewToFragment({ ...view, tab: 'data', saved: '', query, display: defaultDisplay });
}

function allAgents(view: ViewState): string {
  return viewToFragment({ ...view, tab: 'agents', agent: { field: 'agent', value: '' } });
}
