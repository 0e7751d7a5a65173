import type { MetricQuery } from '../../../../openapi/client/index.ts';
import { requestsOf } from '../api/request-body.ts';
import { copyButton } from '../dom/copy-button.ts';
import { h } from '../dom/h.ts';
import type { Query } from '../state/view-state.ts';

/** The request as JSON and as a curl command, with a variable instead of the token. */
export function requestPanel(query: Query): HTMLElement {
  const blocks = requestsOf(query).flatMap(({ name, body }) => {
    const prefix = name === '' ? '' : `${name}: `;
    return [
      ...block(`${prefix}JSON`, JSON.stringify(body, null, 2), 'Copy JSON'),
      ...block(`${prefix}curl`, curlLine(body), 'Copy curl'),
    ];
  });
  return h('div', { class: 'code-panel' }, ...blocks);
}

function block(title: string, text: string, copyLabel: string): HTMLElement[] {
  return [
    h(
      'div',
      { class: 'panel-tools' },
      h('h3', {}, title),
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
