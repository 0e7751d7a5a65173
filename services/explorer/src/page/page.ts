import { agentsTab } from '../agents/agents-tab.ts';
import { announcer } from '../dom/announce.ts';
import { fill, h } from '../dom/h.ts';
import { tabList } from '../dom/tab-list.ts';
import { keptToken } from '../state/tokens.ts';
import type { ViewState } from '../state/view-state.ts';
import { viewStore } from '../state/view-store.ts';
import { dataTab } from './data-tab.ts';
import type { PageTab } from './page-tab.ts';

export interface PageSettings {
  /** Empty when the explorer is not told where the metadata service is. */
  readonly metadataUrl: string;
}

type TabName = ViewState['tab'];

/** The head of the page and its two tabs. */
export function page({ metadataUrl }: PageSettings): readonly HTMLElement[] {
  const store = viewStore(travel);
  const tabs: Readonly<Record<TabName, PageTab>> = {
    data: dataTab(store, paintToken),
    agents: agentsTab({ store, metadataUrl, onToken: paintToken }),
  };
  const panel = h('div', { id: 'panel', role: 'tabpanel' });
  const main = h('main', { id: 'main', tabindex: -1 }, panel);
  const head = tabList<TabName>({
    label: 'Parts of the explorer',
    panelId: 'panel',
    tabs: [
      { id: 'data', label: 'Data' },
      { id: 'agents', label: 'Agents' },
    ],
    onSelect: (tab) => {
      store.set({ tab }, 'step');
      show(tab);
    },
  });
  const forget = h(
    'button',
    { type: 'button', class: 'quiet', onclick: () => tabs[store.view().tab].forget() },
    'Forget token',
  );

  function show(tab: TabName): void {
    head.show(tab);
    panel.setAttribute('aria-labelledby', `panel-${tab}`);
    fill(panel, tabs[tab].element);
    paintToken();
    tabs[tab].show();
  }

  function travel(view: ViewState): void {
    show(view.tab);
    tabs[view.tab].travel();
  }

  function paintToken(): void {
    forget.hidden = keptToken(store.view().tab === 'data' ? 'data' : 'metadata') === undefined;
  }

  show(store.view().tab);
  // Not by its address: the fragment is the view.
  const skip = (event: Event) => {
    event.preventDefault();
    main.focus();
  };
  return [
    h('a', { class: 'skip', href: '#main', onclick: skip }, 'Skip to the content'),
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
