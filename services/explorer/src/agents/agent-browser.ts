import type { Agent } from '../../../../openapi/client/index.ts';
import type { MetadataApi } from '../api/metadata-api.ts';
import { button, fill, h } from '../dom/h.ts';
import { count } from '../dom/number-text.ts';
import { viewToFragment } from '../state/url-state.ts';
import type { ViewStore } from '../state/view-store.ts';

interface AgentBrowserParts {
  readonly api: MetadataApi;
  readonly store: ViewStore;
  readonly onFailure: (error: unknown) => void;
}

/** Long enough that typing does not send a request per letter. */
const searchDelayMs = 250;

/** All agents of the organisation, page by page, and a search. */
export function agentBrowser({ api, store, onFailure }: AgentBrowserParts): HTMLElement {
  const search = h('input', {
    id: 'agent-search',
    type: 'search',
    autocomplete: 'off',
    spellcheck: 'false',
    maxlength: 200,
    placeholder: 'Id, unit, MAC address, ISP or package',
    oninput: () => {
      clearTimeout(timer);
      timer = setTimeout(() => void load(), searchDelayMs);
    },
  });
  const rows = h('tbody', {});
  const more = button('Show more', () => void load(next));
  const state = h('p', { class: 'muted', role: 'status' });
  let timer: ReturnType<typeof setTimeout> | undefined;
  let latest = 0;
  let next: string | undefined;
  const element = h(
    'section',
    { class: 'card agent-browser', 'aria-label': 'All agents' },
    h('label', { class: 'label', for: search.id }, 'Search all agents'),
    search,
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
  void load();
  return element;

  async function load(after?: string): Promise<void> {
    latest += 1;
    const request = latest;
    more.disabled = true;
    try {
      const page = await api.agents(search.value.trim(), after);
      // A later letter has started another search.
      if (request !== latest) return;
      const added = page.agents.map(rowOf);
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
    const shown = rows.children.length;
    more.hidden = next === undefined;
    more.disabled = false;
    state.textContent =
      shown === 0
        ? search.value.trim() === ''
          ? 'Your organisation has no agents yet.'
          : 'No agent matches.'
        : `${count(shown)} ${shown === 1 ? 'agent' : 'agents'}${next === undefined ? '' : ' so far'}`;
  }

  function rowOf(agent: Agent): HTMLElement {
    const lookup = { field: 'agent', value: agent.agentId } as const;
    const address = viewToFragment({ ...store.view(), tab: 'agents', agent: lookup });
    const [, ...others] = columns;
    return h(
      'tr',
      {},
      h('th', { scope: 'row' }, h('a', { href: `#${address}` }, agent.agentId)),
      ...others.map(([, valueOf]) => h('td', {}, valueOf(agent) ?? '')),
    );
  }
}

const columns: readonly (readonly [string, (agent: Agent) => string | null])[] = [
  ['Agent', ({ agentId }) => agentId],
  ['Unit', ({ unitId }) => unitId],
  ['MAC address', ({ macAddress }) => macAddress],
  ['ISP', ({ isp }) => isp],
  ['Package', ({ isp, package: name }) => name?.slice((isp ?? '').length + 1) ?? null],
  ['Time zone', ({ timezone }) => timezone],
];
