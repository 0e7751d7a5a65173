import { fill, freshId, h } from './h.ts';

export interface Choice {
  readonly value: string;
  readonly label: string;
  /** Next to the label: a unit. */
  readonly note?: string;
  /** Under the label: a sentence. */
  readonly about?: string;
}

interface ComboboxParts {
  readonly label: string;
  readonly placeholder?: string;
  /** The choices that match the typed text. */
  readonly find: (text: string) => readonly Choice[] | Promise<readonly Choice[]>;
  readonly onChoose: (choice: Choice) => void;
  /** Called on Enter with text that matches no choice. */
  readonly onFreeText?: (text: string) => void;
}

/** A text field with a list of matches: the combobox pattern of the ARIA Authoring Practices. */
export function combobox(parts: ComboboxParts) {
  const listId = freshId('list');
  const list = h('ul', {
    id: listId,
    class: 'choices',
    role: 'listbox',
    'aria-label': parts.label,
    hidden: true,
  });
  const input = h('input', {
    type: 'text',
    role: 'combobox',
    autocomplete: 'off',
    spellcheck: 'false',
    'aria-label': parts.label,
    'aria-expanded': 'false',
    'aria-controls': listId,
    'aria-autocomplete': 'list',
    placeholder: parts.placeholder,
    oninput: () => {
      isTyped = true;
      void open(input.value);
    },
    onclick: () => void open(isTyped ? input.value : ''),
    onkeydown: onKey,
    onblur: () => setTimeout(close, 120),
  });
  // A chosen value is not a search: a click lists every choice until something is typed.
  let isTyped = false;
  let choices: readonly Choice[] = [];
  let active = -1;
  let latestSearch = 0;
  let isSearching = false;
  // Enter pressed while the choices load: it selects the first of them.
  let isEnterWaiting = false;

  async function open(text: string): Promise<void> {
    latestSearch += 1;
    const search = latestSearch;
    isSearching = true;
    const found = await parts.find(text);
    // A later keystroke has started another search.
    if (search !== latestSearch || document.activeElement !== input) return;
    choices = found;
    active = found.length > 0 && text !== '' ? 0 : -1;
    isSearching = false;
    paint();
    if (isEnterWaiting) takeEnter();
  }

  function takeEnter(): void {
    isEnterWaiting = isSearching;
    if (isSearching) return;
    const choice = choices[active];
    if (choice !== undefined) choose(choice);
    else takeFreeText(input.value.trim());
  }

  function paint(): void {
    fill(list, ...choices.map(optionOf), choices.length === 0 && nothing());
    list.hidden = false;
    input.setAttribute('aria-expanded', 'true');
    const current = list.children[active];
    if (active >= 0 && current !== undefined) {
      input.setAttribute('aria-activedescendant', current.id);
      current.scrollIntoView({ block: 'nearest' });
    } else input.removeAttribute('aria-activedescendant');
  }

  function optionOf(choice: Choice, index: number): HTMLElement {
    return h(
      'li',
      {
        id: `${listId}-${index}`,
        role: 'option',
        'aria-selected': String(index === active),
        // Fires before the field loses the focus.
        onmousedown: (event: MouseEvent) => {
          event.preventDefault();
          choose(choice);
        },
      },
      h('span', { class: 'choice-label' }, choice.label),
      choice.note !== undefined && h('span', { class: 'choice-note' }, choice.note),
      choice.about !== undefined && h('span', { class: 'choice-about' }, choice.about),
    );
  }

  function nothing(): HTMLElement {
    const text = parts.onFreeText === undefined ? 'No match' : 'No match. Press Enter to use it';
    return h('li', { class: 'no-choice', role: 'option', 'aria-disabled': 'true' }, text);
  }

  function choose(choice: Choice): void {
    close();
    parts.onChoose(choice);
    isTyped = false;
  }

  function close(): void {
    latestSearch += 1;
    isSearching = false;
    isEnterWaiting = false;
    list.hidden = true;
    active = -1;
    input.setAttribute('aria-expanded', 'false');
    input.removeAttribute('aria-activedescendant');
  }

  function onKey(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      event.preventDefault();
      if (list.hidden) void open(isTyped ? input.value : '');
      else move(event.key === 'ArrowDown' ? 1 : -1);
    } else if (event.key === 'Enter' && (!list.hidden || isTyped)) {
      event.preventDefault();
      takeEnter();
    } else if (event.key === 'Escape' && !list.hidden) {
      event.stopPropagation();
      close();
    }
  }

  function takeFreeText(text: string): void {
    if (parts.onFreeText === undefined || text === '') return;
    close();
    parts.onFreeText(text);
    isTyped = false;
  }

  function move(step: number): void {
    if (choices.length === 0) return;
    active = (active + step + choices.length) % choices.length;
    paint();
  }

  return { element: h('div', { class: 'combobox' }, input, list), input };
}
