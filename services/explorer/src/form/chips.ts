import { h } from '../dom/h.ts';

/** Chosen values, each with a button that removes it. */
export function chips(
  values: readonly string[],
  what: string,
  onRemove: (value: string) => void,
): HTMLElement | null {
  if (values.length === 0) return null;
  return h(
    'ul',
    { class: 'chips' },
    ...values.map((value) =>
      h(
        'li',
        {},
        h('span', {}, value),
        h(
          'button',
          {
            type: 'button',
            'aria-label': `Remove ${what} ${value}`,
            onclick: () => onRemove(value),
          },
          '×',
        ),
      ),
    ),
  );
}
