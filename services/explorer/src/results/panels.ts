import type { DataApi } from '../api/data-api.ts';
import { fill, h } from '../dom/h.ts';
import { tabList } from '../dom/tab-list.ts';
import type { DisplayOptions, PanelName } from '../state/view-state.ts';
import type { ViewStore } from '../state/view-store.ts';
import type { QueryResponse } from './query-response.ts';
import { dataTable } from './data-table.ts';
import { requestPanel } from './request-panel.ts';
import { sqlPanel } from './sql-panel.ts';

interface PanelsParts {
  readonly api: DataApi;
  readonly store: ViewStore;
  readonly response: QueryResponse;
}

/** Below the chart: table, request and SQL. A panel is created when it is opened. */
export function panels({ api, store, response }: PanelsParts): {
  readonly element: HTMLElement;
  readonly show: (display: DisplayOptions) => void;
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
      store.setDisplay({ panel });
      show(store.view().display);
    },
  });
  let shown: PanelName | undefined;

  const makers: Readonly<Record<PanelName, () => HTMLElement>> = {
    table: () =>
      dataTable(response, store.view().display.sort, (sort) => store.setDisplay({ sort })),
    request: () => requestPanel(response.query),
    sql: () => sqlPanel(api, response.query),
  };

  function show({ panel }: DisplayOptions): void {
    if (panel === shown) return;
    shown = panel;
    tabs.show(panel);
    body.setAttribute('aria-labelledby', `${panelId}-${panel}`);
    fill(body, makers[panel]());
  }

  return { element: h('div', {}, tabs.element, body), show };
}
