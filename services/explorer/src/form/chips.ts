import { breakable } from '../dom/breakable.ts';
import { h } from '../dom/h.ts';

/** Chosen values, each with a button that removes it. */
export function chips(
  values: readonly string[],
  what: string,
  onRemove: (value: string) => void,
  nameOf: (value: string) => string = (value) => value,
): HTMLElement | null {
  if (values.length === 0) return null;
  return h(
    'ul',
    { class: 'chips' },
    ...values.map((value) =>
      h(
        'li',
        {},
        h('span', {}, ...breakable(nameOf(value))),
        h(
          'button',
          {
            type: 'button',
            'aria-label': `Remove ${what} ${nameOf(value)}`,
            onclick: () => onRemove(value),
          },
          '×',
        ),
      ),
    ),
  );
}
