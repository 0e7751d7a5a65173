import type { FieldErrors } from '../api/api-error.ts';
import { type Child, fill, freshId, h } from '../dom/h.ts';

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

/** Shows each message beside its field. Returns the messages without a field. */
export function placeErrors(slots: readonly FieldSlot[], errors: FieldErrors): readonly string[] {
  const entries = Object.entries(errors);
  for (const slot of slots) {
    slot.show(entries.filter(([path]) => slot.handles(path)).flatMap(([, lines]) => lines));
  }
  return entries
    .filter(([path]) => !slots.some((slot) => slot.handles(path)))
    .flatMap(([, lines]) => lines);
}
