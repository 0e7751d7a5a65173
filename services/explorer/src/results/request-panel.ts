import { requestBody } from '../api/request-body.ts';
import { copyButton } from '../dom/copy-button.ts';
import { h } from '../dom/h.ts';
import type { Question } from '../state/view-state.ts';

/** The question as a program would ask it. The token stays out: the curl line has a variable. */
export function requestPanel(question: Question): HTMLElement {
  const json = JSON.stringify(requestBody(question), null, 2);
  const curl = curlLine(question);
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

function curlLine(question: Question): string {
  // Within single quotes the shell ends a text at ' and nothing else.
  const body = JSON.stringify(requestBody(question)).replaceAll("'", String.raw`'\''`);
  return [
    `curl -s '${location.origin}/metric_data'`,
    `-H "Authorization: $TOKEN"`,
    `-H 'Content-Type: application/json'`,
    `-d '${body}'`,
  ].join(' \\\n  ');
}
