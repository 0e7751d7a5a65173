import type { Warning } from '../../../../openapi/client/index.ts';
import { button, h } from '../dom/h.ts';

/** What a user should know about a response, in words without HTTP; undefined without warnings. */
export function warningList(
  warnings: readonly Warning[],
  onReload: () => void,
): HTMLElement | undefined {
  if (warnings.length === 0) return undefined;
  const isBehind = warnings.some(({ code }) => code === 'METADATA_BEHIND');
  return h(
    'section',
    { class: 'warnings', 'aria-label': 'Warnings' },
    h('ul', {}, ...warnings.map((warning) => h('li', {}, plainText(warning)))),
    isBehind && button('Load again', onReload),
  );
}

function plainText({ code, message }: Warning): string {
  if (code === 'METADATA_BEHIND') {
    return 'Recent metadata changes are not included yet. Load again in a few seconds.';
  }
  if (code === 'UNKNOWN_VALUE') {
    // The message for programs ends with: GET /filters/isp/values lists the values.
    return message.replace(/ GET \S+ lists the values\.$/, ' Select a value from the list.');
  }
  return message;
}
