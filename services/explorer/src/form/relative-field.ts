import type { Split } from '../../../../openapi/client/index.ts';
import { h } from '../dom/h.ts';
import { fieldSlot, type FieldSlot } from './field-slot.ts';

/** Percent of a custom field with numbers, such as the advertised speed. */
export function relativeField(
  numeric: readonly Split[],
  chosen: string,
  onChange: (field: string) => void,
): FieldSlot {
  const ids = [...new Set([...numeric.map(({ id }) => id), ...(chosen === '' ? [] : [chosen])])];
  const nameOf = (id: string) => numeric.find((field) => field.id === id)?.name ?? id;
  const select = h(
    'select',
    { onchange: () => onChange(select.value) },
    h('option', { value: '', selected: chosen === '' }, 'Off (show the values)'),
    ...ids.map((id) => h('option', { value: id, selected: id === chosen }, nameOf(id))),
  );
  const slot = fieldSlot({
    label: 'Percent of',
    input: select,
    hint: 'A field with numbers, such as the advertised speed of the package.',
    handles: (path) => path === 'relativeTo' || path.startsWith('relativeTo['),
  });
  slot.element.hidden = ids.length === 0;
  return slot;
}
