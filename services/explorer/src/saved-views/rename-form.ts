import { h } from '../dom/h.ts';
import { fieldSlot, type FieldSlot } from '../form/field-slot.ts';

interface RenameParts {
  /** The current name. */
  readonly title: string;
  readonly onSave: (name: string, slot: FieldSlot) => void;
  readonly onCancel: () => void;
}

/** In the place of a saved view in the list: its name, to be changed. Escape cancels. */
export function renameForm({ title, onSave, onCancel }: RenameParts): HTMLElement {
  const input = h('input', { type: 'text', autocomplete: 'off', maxlength: 100, value: title });
  const slot = fieldSlot({
    label: `New name of ${title}`,
    input,
    handles: (path) => path === 'name',
  });
  const form = h(
    'form',
    {
      class: 'rename-view',
      novalidate: true,
      onsubmit: (event: SubmitEvent) => {
        event.preventDefault();
        onSave(input.value, slot);
      },
    },
    slot.element,
    h('button', { type: 'submit' }, 'Rename'),
    h('button', { type: 'button', class: 'quiet', onclick: onCancel }, 'Cancel'),
  );
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Escape') onCancel();
  });
  return form;
}
