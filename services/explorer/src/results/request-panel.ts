import { requestBody } from '../api/request-body.ts';
import { copyButton } from '../dom/copy-button.ts';
import { h } from '../dom/h.ts';
import type { Query } from '../state/view-state.ts';

/** The request as JSON and as a curl command, with a variable instead of the token. */
export function requestPanel(query: Query): HTMLElement {
  const json = JSON.stringify(requestBody(query), null, 2);
  const curl = curlLine(query);
  return h(
    'div',
    { class: 'code-panel' },
    ...block('JSON', json, 'Copy JSON'),
    ...block('curl', curl, 'Copy curl'),
  );
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

function curlLine(query: Query): string {
  // Inside single quotes the shell treats only ' as special.
  const body = JSON.stringify(requestBody(query)).replaceAll("'", String.raw`'\''`);
  return [
    `curl -s '${location.origin}/metric_data'`,
    `-H "Authorization: $TOKEN"`,
    `-H 'Content-Type: application/json'`,
    `-d '${body}'`,
  ].join(' \\\n  ');
}
