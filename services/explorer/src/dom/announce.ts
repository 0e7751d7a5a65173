import { h } from './h.ts';

const region = h('div', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });

/** What screen readers say when something changed that has no focus. */
export function announce(text: string): void {
  region.textContent = text;
}

export function announcer(): HTMLElement {
  return region;
}
