import { type Child, h } from './h.ts';

type NoticeKind = 'loading' | 'empty' | 'error' | 'denied';

/** A message in place of results: loading, no results, an error or denied access. */
export function notice(
  kind: NoticeKind,
  title: string,
  ...children: readonly Child[]
): HTMLElement {
  return h(
    'div',
    {
      class: `notice notice-${kind}`,
      'data-notice': kind,
      role: kind === 'error' ? 'alert' : undefined,
    },
    kind === 'loading' && h('div', { class: 'spinner', 'aria-hidden': 'true' }),
    h('h3', {}, title),
    ...children,
  );
}
