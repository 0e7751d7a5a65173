import type { DataApi } from '../api/data-api.ts';
import { fill, h } from '../dom/h.ts';
import { tabList } from '../dom/tab-list.ts';
import type { Look, PanelName } from '../state/view-state.ts';
import type { ViewStore } from '../state/view-store.ts';
import type { Answer } from './answer.ts';
import { dataTable } from './data-table.ts';
import { requestPanel } from './request-panel.ts';
import { sqlPanel } from './sql-panel.ts';

interface PanelsParts {
  readonly api: DataApi;
  readonly store: ViewStore;
  readonly answer: Answer;
}

/** Below the chart: the same as a table, the request, the SQL. Each is made when it is looked at. */
export function panels({ api, store, answer }: PanelsParts): {
  readonly element: HTMLElement;
  readonly show: (look: Look) => void;
} {
  const panelId = 'below';
  const body = h('div', { id: panelId, role: 'tabpanel', class: 'panel', tabindex: 0 });
  const tabs = tabList<PanelName>({
    label: 'Details',
    panelId,
    tabs: [
      { id: 'table', label: 'Table' },
      { id: 'request', label: 'Request' },
      { id: 'sql', label: 'SQL' },
    ],
    onSelect: (panel) => {
      store.setLook({ panel });
      show(store.view().look);
    },
  });
  let shown: PanelName | undefined;

  const makers: Readonly<Record<PanelName, () => HTMLElement>> = {
    table: () => dataTable(answer, store.view().look.sort, (sort) => store.setLook({ sort })),
    request: () => requestPanel(answer.question),
    sql: () => sqlPanel(api, answer.question),
  };

  function show({ panel }: Look): void {
    if (panel === shown) return;
    shown = panel;
    tabs.show(panel);
    body.setAttribute('aria-labelledby', `${panelId}-${panel}`);
    fill(body, makers[panel]());
  }

  return { element: h('div', {}, tabs.element, body), show };
}
