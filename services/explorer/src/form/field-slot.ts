import type { FieldErrors } from '../api/api-error.ts';
import type { Field } from '../../../../openapi/client/index.ts';
import { breakable, button, type Child, fill, freshId, h } from '../dom/h.ts';
import type { DataContext } from '../state/data-context.ts';
import type { Query } from '../state/view-state.ts';

/** The query in the form, which every field changes a part of. */
export interface QueryDraft {
  readonly context: DataContext;
  query: Query;
  readonly take: (changes: Partial<Query>) => void;
  /** The fields of the chosen metric. */
  readonly fields: () => readonly Field[];
}

/** A labelled control with a place for the service's error messages. */
export interface FieldSlot {
  readonly element: HTMLElement;
  /** Whether errors of this field path belong to this control. */
  readonly handles: (path: string) => boolean;
  readonly show: (messages: readonly string[]) => void;
}

interface SlotParts {
  readonly label: string;
  /** The labelled control; without it the label names a group. */
  readonly input?: HTMLElement;
  readonly control?: Child;
  readonly hint?: string;
  readonly handles: (path: string) => boolean;
}

export function fieldSlot({ label, input, control = input, hint, handles }: SlotParts): FieldSlot {
  const id = freshId('field');
  const errorId = `${id}-error`;
  const hintId = `${id}-hint`;
  const messages = h('div', { id: errorId, class: 'field-error' });
  const described = hint === undefined ? errorId : `${errorId} ${hintId}`;
  if (input !== undefined) {
    input.id = input.id === '' ? id : input.id;
    input.setAttribute('aria-describedby', described);
  }
  const name =
    input === undefined
      ? h('span', { id, class: 'label' }, label)
      : h('label', { class: 'label', for: input.id }, label);
  const group = input === undefined ? { role: 'group', 'aria-labelledby': id } : {};
  const element = h(
    'div',
    { class: 'field', ...group },
    name,
    control,
    hint !== undefined && h('p', { id: hintId, class: 'hint' }, hint),
    messages,
  );
  return {
    element,
    handles,
    show: (lines) => {
      fill(messages, ...lines.map((line) => h('p', {}, line)));
      element.classList.toggle('has-error', lines.length > 0);
      if (lines.length > 0) input?.setAttribute('aria-invalid', 'true');
      else input?.removeAttribute('aria-invalid');
    },
  };
}

/** A checkbox for a field of the request. */
export function switchSlot(
  label: string,
  hint: string,
  path: string,
  isOn: boolean,
  onChange: (isOn: boolean) => void,
): FieldSlot {
  const input = h('input', {
    type: 'checkbox',
    checked: isOn,
    onchange: () => onChange(input.checked),
  });
  const slot = fieldSlot({ label, input, hint, handles: (given) => given === path });
  slot.element.classList.add('switch');
  return slot;
}

/** Shows each message next to its field. Returns the messages without a field. */
export function placeErrors(slots: readonly FieldSlot[], errors: FieldErrors): readonly string[] {
  const entries = Object.entries(errors);
  for (const slot of slots) {
    slot.show(entries.filter(([path]) => slot.handles(path)).flatMap(([, lines]) => lines));
  }
  return entries
    .filter(([path]) => !slots.some((slot) => slot.handles(path)))
    .flatMap(([, lines]) => lines);
}

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
        button('×', () => onRemove(value), { 'aria-label': `Remove ${what} ${nameOf(value)}` }),
      ),
    ),
  );
}
