import { fill, freshId, h } from './h.ts';

export interface Choice {
  readonly value: string;
  readonly label: string;
  /** Beside the label: a unit. */
  readonly note?: string;
  /** Under the label: a sentence. */
  readonly about?: string;
}

interface ComboboxParts {
  readonly label: string;
  readonly placeholder?: string;
  /** What fits the text typed so far. */
  readonly find: (text: string) => readonly Choice[] | Promise<readonly Choice[]>;
  readonly onChoose: (choice: Choice) => void;
  /** Takes what is typed, with Enter, when it is none of the choices. */
  readonly onFreeText?: (text: string) => void;
}

export interface Combobox {
  readonly element: HTMLElement;
  readonly input: HTMLInputElement;
}

/** A text field with a list of what fits, as the ARIA practices describe it. */
export function combobox(parts: ComboboxParts): Combobox {
  const listId = freshId('list');
  const list = h('ul', {
    id: listId,
    class: 'choices',
    role: 'listbox',
    'aria-label': parts.label,
  });
  list.hidden = true;
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
  // What was chosen narrows nothing down: a press shows every choice until something is typed.
  let isTyped = false;
  let choices: readonly Choice[] = [];
  let active = -1;
  let asked = 0;
  let isAsking = false;
  // Enter pressed before the choices for what is typed are there: it means the first of those.
  let isEnterWaiting = false;

  async function open(text: string): Promise<void> {
    asked += 1;
    const mine = asked;
    isAsking = true;
    const found = await parts.find(text);
    // An answer that an earlier keystroke asked for comes too late.
    if (mine !== asked || document.activeElement !== input) return;
    choices = found;
    active = found.length > 0 && text !== '' ? 0 : -1;
    isAsking = false;
    paint();
    if (isEnterWaiting) takeEnter();
  }

  function takeEnter(): void {
    isEnterWaiting = isAsking;
    if (isAsking) return;
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
        // Before the field loses the focus.
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
    const text = parts.onFreeText === undefined ? 'Nothing fits' : 'Nothing fits; Enter takes it';
    return h('li', { class: 'no-choice', role: 'option', 'aria-disabled': 'true' }, text);
  }

  function choose(choice: Choice): void {
    close();
    parts.onChoose(choice);
    isTyped = false;
  }

  function close(): void {
    asked += 1;
    isAsking = false;
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
