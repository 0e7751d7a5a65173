import type { Agent, MetadataPeriod } from '../../../../openapi/client/index.ts';
import type { Newest } from '../api/metadata-api.ts';
import { type Child, h } from '../dom/h.ts';
import { count } from '../dom/number-text.ts';
import { viewToFragment } from '../state/url-state.ts';
import { defaultDisplay, defaultView, type ViewState } from '../state/view-state.ts';
import type { AgentContext } from './agent-context.ts';
import { changeForm } from './change-form.ts';
import { changeList } from './change-list.ts';
import { metadataList } from './metadata-list.ts';
import { colourOf } from '../drawing/theme.ts';
import { changedFields } from './diff-segments.ts';
import { recordedText, timeText } from './time-text.ts';

export function agentView(context: AgentContext): HTMLElement {
  const { agent, current, history, changes, view } = context;
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
      card(
        'History',
        'Newest first; times are UTC',
        historyTimeline(history.items),
        cutNote(history),
      ),
      card(
        'Changes',
        'Who recorded what, and when; newest first',
        changeList(context),
        cutNote(changes),
      ),
    ),
    card('Change metadata', 'Only fields that you fill in are changed.', changeForm(context)),
  );
}

function card(title: string, about: string, ...content: readonly Child[]): HTMLElement {
  return h(
    'section',
    { class: 'card', 'aria-label': title },
    h('h2', {}, title),
    h('p', { class: 'muted' }, about),
    ...content,
  );
}

function cutNote({ items, isComplete }: Newest<unknown>): Child {
  return (
    !isComplete && h('p', { class: 'hint' }, `Only the newest ${count(items.length)} are shown.`)
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
  return viewToFragment({ ...view, tab: 'agents', agent: defaultView.agent, find: '' });
}

/** A bar with one segment per validity period, and below it the periods with their changes. */
function historyTimeline(history: readonly MetadataPeriod[]): HTMLElement {
  if (history.length === 0) {
    return h('p', { class: 'hint' }, 'This agent has no metadata.');
  }
  return h('div', {}, timeBar(history), h('ol', { class: 'timeline' }, ...history.map(itemOf)));

  function itemOf(period: MetadataPeriod, index: number): HTMLElement {
    const earlier = history[index + 1];
    const style = { background: colourOf(history.length - 1 - index) };
    return h(
      'li',
      { 'data-from': period.from ?? '' },
      h('span', { class: 'timeline-dot', 'aria-hidden': 'true', style }),
      h('h3', {}, `${timeText(period.from, 'the beginning')} – ${timeText(period.to, 'today')}`),
      metadataList(period, earlier === undefined ? [] : changedFields(earlier, period)),
      h('p', { class: 'hint' }, `Recorded ${recordedText(period.recordedAt, period.recordedBy)}`),
    );
  }
}

function timeBar(history: readonly MetadataPeriod[]): HTMLElement {
  const nowMs = Date.now();
  const starts = history.flatMap(({ from }) => (from === null ? [] : [Date.parse(from)]));
  const firstMs = Math.min(nowMs, ...starts);
  const share = ({ from, to }: MetadataPeriod) => {
    const fromMs = from === null ? firstMs : Date.parse(from);
    const toMs = to === null ? nowMs : Date.parse(to);
    return Math.max(toMs - fromMs, (nowMs - firstMs) / 60);
  };
  const segments = history.toReversed().map((period, i) => {
    const style = { 'flex-grow': String(share(period)), background: colourOf(i) };
    return h('span', { style });
  });
  return h('div', { class: 'time-bar', 'aria-hidden': 'true' }, ...segments);
}
