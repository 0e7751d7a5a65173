import { h } from './h.ts';

const region = h('div', { class: 'visually-hidden', role: 'status', 'aria-live': 'polite' });

/** Announces a change to screen readers. */
export function announce(text: string): void {
  region.textContent = text;
}

export function announcer(): HTMLElement {
  return region;
}
