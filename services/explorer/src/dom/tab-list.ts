import { h } from './h.ts';

interface TabListParts<T extends string> {
  readonly label: string;
  readonly tabs: readonly { readonly id: T; readonly label: string }[];
  /** Id of the panel element of a tab. */
  readonly panelId: string;
  readonly onSelect: (id: T) => void;
}

/** Tabs that arrow keys move through. */
export function tabList<T extends string>(parts: TabListParts<T>) {
  const buttons = parts.tabs.map(({ id, label }) =>
    h(
      'button',
      {
        type: 'button',
        role: 'tab',
        id: `${parts.panelId}-${id}`,
        'aria-controls': parts.panelId,
        'aria-selected': 'false',
        onclick: () => parts.onSelect(id),
        onkeydown: (event: KeyboardEvent) => onKey(event),
      },
      label,
    ),
  );

  function onKey(event: KeyboardEvent): void {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    const index = buttons.indexOf(event.currentTarget as HTMLButtonElement);
    const next = (index + step + buttons.length) % buttons.length;
    const tab = parts.tabs[next];
    if (tab === undefined) return;
    event.preventDefault();
    buttons[next]?.focus();
    parts.onSelect(tab.id);
  }

  return {
    element: h('div', { class: 'tabs', role: 'tablist', 'aria-label': parts.label }, ...buttons),
    show: (id: T) => {
      for (const [i, button] of buttons.entries()) {
        const isShown = parts.tabs[i]?.id === id;
        button.setAttribute('aria-selected', String(isShown));
        button.tabIndex = isShown ? 0 : -1;
      }
    },
  };
}
