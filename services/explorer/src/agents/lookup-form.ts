import type { FieldErrors } from '../api/api-error.ts';
import { h } from '../dom/h.ts';
import { fieldSlot, placeErrors } from '../form/field-slot.ts';
import type { AgentLookup, LookupField } from '../state/view-state.ts';

const fieldNames: readonly (readonly [LookupField, string])[] = [
  ['agent', 'Agent id'],
  ['unit', 'Unit'],
  ['mac', 'MAC address'],
];

export function lookupForm(
  given: AgentLookup,
  onFind: (lookup: AgentLookup) => void,
): { readonly element: HTMLFormElement; readonly showErrors: (errors: FieldErrors) => void } {
  const by = h(
    'select',
    {},
    ...fieldNames.map(([value, label]) =>
      h('option', { value, selected: value === given.field }, label),
    ),
  );
  const value = h('input', { type: 'text', autocomplete: 'off', spellcheck: 'false' });
  value.value = given.value;
  const bySlot = fieldSlot({ label: 'Find by', input: by, handles: (path) => path === 'field' });
  const valueSlot = fieldSlot({
    label: 'Value',
    input: value,
    handles: (path) => path === 'value',
  });
  const element = h(
    'form',
    {
      class: 'lookup card',
      novalidate: true,
      onsubmit: (event: SubmitEvent) => {
        event.preventDefault();
        if (value.value.trim() === '') {
          value.focus();
          return;
        }
        onFind({ field: by.value as LookupField, value: value.value.trim() });
      },
    },
    bySlot.element,
    valueSlot.element,
    h('button', { type: 'submit', class: 'primary' }, 'Find'),
  );
  return {
    element,
    showErrors: (errors) => void placeErrors([bySlot, valueSlot], errors),
  };
}
