import type { DataApi } from '../api/data-api.ts';
import { fill, h, notice } from '../dom/h.ts';
import { tabList } from '../dom/tab-list.ts';
import type { DisplayOptions, PanelName } from '../state/view-state.ts';
import type { DataContext } from '../state/data-context.ts';
import type { QueryResponse } from './query-response.ts';
import { dataTable } from './data-table.ts';
import type { MetricQuery } from '../../../../openapi/client/index.ts';
import { copyButton } from '../dom/copy-button.ts';
import { failureOf } from '../api/api-error.ts';
import { byteText, count } from '../dom/number-text.ts';

/** Below the chart: table, request and SQL. A panel is created when it is opened. */
export function panels({ api, store }: DataContext, response: QueryResponse) {
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
    request: () => requestPanel(response.request),
    sql: () => sqlPanel(api, response.request),
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

/** The request as JSON and as a curl command, with a variable instead of the token. */
function requestPanel(request: MetricQuery): HTMLElement {
  return h(
    'div',
    { class: 'code-panel' },
    ...block('JSON', JSON.stringify(request, null, 2), 'Copy JSON'),
    ...block('curl', curlLine(request), 'Copy curl'),
  );
}

/** A text to copy, such as JSON. `head` is above it: a heading, unless it is given. */
function block(
  title: string,
  text: string,
  copyLabel: string,
  head: HTMLElement = h('h3', {}, title),
): HTMLElement[] {
  return [
    h(
      'div',
      { class: 'panel-tools' },
      head,
      copyButton(copyLabel, () => text),
    ),
    h('pre', { tabindex: 0, 'aria-label': title }, h('code', {}, text)),
  ];
}

function curlLine(request: MetricQuery): string {
  // Inside single quotes the shell treats only ' as special.
  const body = JSON.stringify(request).replaceAll("'", String.raw`'\''`);
  return [
    `curl -s '${location.origin}/metric_data'`,
    `-H "Authorization: $TOKEN"`,
    `-H 'Content-Type: application/json'`,
    `-d '${body}'`,
  ].join(' \\\n  ');
}

/** The SQL of the query, to run in a ClickHouse client. */
function sqlPanel(api: DataApi, request: MetricQuery): HTMLElement {
  const element = h('div', { class: 'code-panel' }, notice('loading', 'Loading the SQL…'));
  void load();
  return element;

  async function load(): Promise<void> {
    try {
      const { inlined, estimate } = await api.explain(request);
      const reads = `Reads at most ${count(estimate.rows)} rows, ${byteText(estimate.bytes)}, according to the primary key.`;
      fill(element, ...block('SQL', inlined, 'Copy SQL', h('p', { class: 'hint' }, reads)));
    } catch (error) {
      const advice = h('p', {}, failureOf(error).message);
      fill(element, notice('error', 'Loading the SQL failed', advice));
    }
  }
}
