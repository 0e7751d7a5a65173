import { agentsTab } from '../agents/agents-tab.ts';
import { announcer } from '../dom/announce.ts';
import { fill, h, quietButton } from '../dom/h.ts';
import { tabList } from '../dom/tab-list.ts';
import { type PageTab, storedToken } from './token-gate.ts';
import type { ViewState } from '../state/view-state.ts';
import { viewStore } from '../state/view-store.ts';
import { dataTab } from './data-tab.ts';

export interface PageSettings {
  /** Empty when EXPLORER_METADATA_URL is not set. */
  readonly metadataUrl: string;
}

type TabName = ViewState['tab'];

/** The head of the page and its two tabs. */
export function page({ metadataUrl }: PageSettings): readonly HTMLElement[] {
  const store = viewStore(navigate);
  const tabs: Readonly<Record<TabName, PageTab>> = {
    data: dataTab({ store, onToken: paintToken }),
    agents: agentsTab({ store, metadataUrl, onToken: paintToken }),
  };
  const panel = h('div', { id: 'panel', role: 'tabpanel' });
  const main = h('main', { id: 'main', tabindex: -1 }, panel);
  const head = tabList<TabName>({
    label: 'Sections',
    panelId: 'panel',
    tabs: [
      { id: 'data', label: 'Data' },
      { id: 'agents', label: 'Agents' },
    ],
    onSelect: (tab) => {
      store.set({ tab }, 'push');
      show(tab);
    },
  });
  const forget = quietButton('Forget token', () => tabs[store.view().tab].forget());

  function show(tab: TabName): void {
    head.show(tab);
    panel.setAttribute('aria-labelledby', `panel-${tab}`);
    fill(panel, tabs[tab].element);
    paintToken();
    tabs[tab].show();
  }

  function navigate(view: ViewState): void {
    show(view.tab);
    tabs[view.tab].navigate();
  }

  function paintToken(): void {
    forget.hidden = storedToken(store.view().tab === 'data' ? 'data' : 'metadata') === undefined;
  }

  show(store.view().tab);
  // The fragment of the URL is the view, so following the link would change it.
  const skip = (event: Event) => {
    event.preventDefault();
    main.focus();
  };
  return [
    h('a', { class: 'skip', href: '#main', onclick: skip }, 'Skip to content'),
    h(
      'header',
      { class: 'page-head' },
      h(
        'h1',
        {},
        h('span', { class: 'brand-mark', 'aria-hidden': 'true' }),
        h('span', { class: 'brand-name' }, 'netpanel'),
        h('span', { class: 'brand-part' }, 'explorer'),
      ),
      head.element,
      h('div', { class: 'page-head-end' }, forget),
    ),
    main,
    announcer(),
  ];
}
