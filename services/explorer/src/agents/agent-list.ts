import type { Agent } from '../../../../openapi/client/index.ts';
import type { MetadataApi } from '../api/metadata-api.ts';
import { button, fill, h } from '../dom/h.ts';
import { count } from '../dom/number-text.ts';
import { viewToFragment } from '../state/url-state.ts';
import type { ViewStore } from '../state/view-store.ts';

interface AgentListParts {
  readonly api: MetadataApi;
  readonly store: ViewStore;
  readonly onFailure: (error: unknown) => void;
}

/** The agents of the organisation that match a search, page by page. */
export function agentList({ api, store, onFailure }: AgentListParts) {
  const rows = h('tbody', {});
  const more = button('Show more', () => void load(next));
  const state = h('p', { class: 'muted', role: 'status' });
  let search = '';
  let latest = 0;
  let next: string | undefined;
  let shown: readonly Agent[] = [];
  const element = h(
    'section',
    { class: 'card agent-list', 'aria-label': 'Agents that match' },
    h(
      'div',
      { class: 'table-scroll', tabindex: 0, role: 'region', 'aria-label': 'Agents' },
      h(
        'table',
        { class: 'agent-table' },
        h('thead', {}, h('tr', {}, ...columns.map(([name]) => h('th', { scope: 'col' }, name)))),
        rows,
      ),
    ),
    state,
    more,
  );

  return {
    element,
    find: (text: string) => {
      search = text;
      return load();
    },
    /** Opens the only agent that was found, or the one with exactly this id, MAC address or unit. */
    open: async () => {
      const only = shown.length === 1 ? shown[0] : (shown.find(isExact) ?? (await unitBeyond()));
      if (only !== undefined) location.hash = addressOf(only);
    },
  };

  async function load(after?: string): Promise<void> {
    latest += 1;
    const request = latest;
    more.disabled = true;
    try {
      const page = await api.agents(search, after);
      // A later letter has started another search.
      if (request !== latest) return;
      const added = page.agents.map(rowOf);
      shown = after === undefined ? page.agents : [...shown, ...page.agents];
      if (after === undefined) fill(rows, ...added);
      else rows.append(...added);
      next = page.next;
      paintState();
      if (after !== undefined) added[0]?.querySelector('a')?.focus();
    } catch (error) {
      if (request === latest) onFailure(error);
    }
  }

  function paintState(): void {
    more.hidden = next === undefined;
    more.disabled = false;
    const all = `${count(shown.length)} ${shown.length === 1 ? 'agent' : 'agents'}`;
    const none = search === '' ? 'Your organisation has no agents yet.' : 'No agent matches.';
    state.textContent = shown.length === 0 ? none : next === undefined ? all : `${all} so far`;
  }

  function isExact({ agentId, unitId, macAddress }: Agent): boolean {
    return [agentId, unitId, macAddress].some(
      (one) => one !== null && plain(one) === plain(search),
    );
  }

  /** The digits begin other units too, which may fill the first page. */
  async function unitBeyond(): Promise<Agent | undefined> {
    if (next === undefined || !/^\d+$/.test(search)) return undefined;
    return api.agent({ field: 'unit', value: search }).catch(() => undefined);
  }

  function addressOf({ agentId }: Agent): string {
    const agent = { field: 'agent', value: agentId } as const;
    return viewToFragment({ ...store.view(), tab: 'agents', agent });
  }

  function rowOf(agent: Agent): HTMLElement {
    const [, ...others] = columns;
    return h(
      'tr',
      {},
      h('th', { scope: 'row' }, h('a', { href: `#${addressOf(agent)}` }, agent.agentId)),
      ...others.map(([, valueOf]) => h('td', {}, valueOf(agent) ?? '')),
    );
  }
}

/** As the service compares ids: without case, dashes and colons. */
function plain(text: string): string {
  return text.toLowerCase().replace(/[-:.]/g, '');
}

const columns: readonly (readonly [string, (agent: Agent) => string | null])[] = [
  ['Agent', ({ agentId }) => agentId],
  ['Unit', ({ unitId }) => unitId],
  ['MAC address', ({ macAddress }) => macAddress],
  ['ISP', ({ isp }) => isp],
  ['Package', ({ isp, package: name }) => name?.slice((isp ?? '').length + 1) ?? null],
  ['Time zone', ({ timezone }) => timezone],
];
