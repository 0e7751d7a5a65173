import type { DataApi } from '../api/data-api.ts';
import { fill, h, notice } from '../dom/h.ts';
import { tabList } from '../dom/tab-list.ts';
import type { DisplayOptions, PanelName, Query } from '../state/view-state.ts';
import type { DataContext } from '../state/data-context.ts';
import type { QueryResponse } from './query-response.ts';
import { dataTable } from './data-table.ts';
import type { MetricQuery } from '../../../../openapi/client/index.ts';
import { requestsOf } from '../api/request-body.ts';
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

/** The request as JSON and as a curl command, with a variable instead of the token. */
function requestPanel(query: Query): HTMLElement {
  const blocks = requestsOf(query).flatMap(({ name, body }) => {
    const prefix = name === '' ? '' : `${name}: `;
    return [
      ...block(`${prefix}JSON`, JSON.stringify(body, null, 2), 'Copy JSON'),
      ...block(`${prefix}curl`, curlLine(body), 'Copy curl'),
    ];
  });
  return h('div', { class: 'code-panel' }, ...blocks);
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
function sqlPanel(api: DataApi, query: Query): HTMLElement {
  const element = h('div', { class: 'code-panel' }, notice('loading', 'Loading the SQL…'));
  void load();
  return element;

  async function load(): Promise<void> {
    try {
      const { inlined, estimate } = await api.explain(query);
      const reads = `Reads at most ${count(estimate.rows)} rows, ${byteText(estimate.bytes)}, according to the primary key.`;
      fill(element, ...block('SQL', inlined, 'Copy SQL', h('p', { class: 'hint' }, reads)));
    } catch (error) {
      const advice = h('p', {}, failureOf(error).message);
      fill(element, notice('error', 'Loading the SQL failed', advice));
    }
  }
}
