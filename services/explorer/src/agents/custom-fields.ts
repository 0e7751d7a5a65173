import type { CustomFields } from '../../../../openapi/client/index.ts';
import { h } from '../dom/h.ts';
import { fieldSlot, type FieldSlot } from '../form/field-slot.ts';

/** Rows of key and value. A value that is a number is sent as a number. */
export function customFields(): {
  readonly slot: FieldSlot;
  /** Undefined when nothing is filled in. */
  readonly filledIn: () => CustomFields | undefined;
} {
  const rows = h('div', { class: 'custom-rows' });
  const add = h(
    'button',
    { type: 'button', class: 'quiet', onclick: () => addRow().focus() },
    'Add a field',
  );
  addRow();
  const slot = fieldSlot({
    label: 'Custom fields',
    control: h('div', {}, rows, add),
    handles: (path) => path === 'metadata[custom]' || path.startsWith('metadata[custom]['),
  });
  return { slot, filledIn };

  function addRow(): HTMLInputElement {
    const number = rows.children.length + 1;
    const key = cell('key', `Key of custom field ${number}`);
    rows.append(
      h('div', { class: 'custom-row' }, key, cell('value', `Value of custom field ${number}`)),
    );
    return key;
  }

  function cell(placeholder: string, label: string): HTMLInputElement {
    return h('input', {
      type: 'text',
      autocomplete: 'off',
      spellcheck: 'false',
      placeholder,
      'aria-label': label,
    });
  }

  function filledIn(): CustomFields | undefined {
    const pairs = [...rows.children].flatMap((row) => {
      const [key, value] = [...row.querySelectorAll('input')].map((input) => input.value.trim());
      return key === undefined || key === '' ? [] : [[key, asTyped(value ?? '')] as const];
    });
    return pairs.length === 0 ? undefined : Object.fromEntries(pairs);
  }
}

function asTyped(text: string): string | number {
  // 500 is a number; 007 and a number too long to be exact are text.
  return text !== '' && Number.isFinite(Number(text)) && String(Number(text)) === text
    ? Number(text)
    : text;
}
