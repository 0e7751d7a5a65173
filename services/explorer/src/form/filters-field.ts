import { combobox } from '../dom/combobox.ts';
import { button, fill, h, select } from '../dom/h.ts';
import type { QueryFilter } from '../state/view-state.ts';
import { chips, fieldSlot, type FieldSlot, type QueryDraft } from './field-slot.ts';
import { fieldChoices, fieldName } from './splits-field.ts';

interface FiltersParts {
  readonly label: string;
  /** Of the service's messages. */
  readonly path: string;
  readonly filters: () => readonly QueryFilter[];
  readonly take: (filters: readonly QueryFilter[]) => void;
}

/** Any number of filters: a field, include or exclude, and values suggested by the service. */
export function filtersField(
  draft: QueryDraft,
  { label, path: own, filters: current, take }: FiltersParts,
) {
  let slots: FieldSlot[] = [];
  const list = h('div', { class: 'filters' });
  const adder = combobox({
    label,
    placeholder: 'Add a filter',
    find: (text) => fieldChoices(draft.fields(), text),
    onChoose: ({ value }) => add(value),
    onFreeText: add,
  });
  const whole = fieldSlot({
    label,
    input: adder.input,
    control: h('div', {}, list, adder.element),
    handles: (path) => path === own,
  });
  paint();
  // A function, because the slots change with the filters.
  return { element: whole.element, slots: () => [whole, ...slots] };

  function add(id: string): void {
    adder.input.value = '';
    const added = { id, mode: 'include', values: [] } as const;
    take([...current(), added]);
    paint();
    list.querySelector<HTMLInputElement>('.filter:last-child input')?.focus();
  }

  function change(index: number, filter: QueryFilter | undefined): void {
    const filters = current().flatMap((one, i) =>
      i !== index ? [one] : filter === undefined ? [] : [filter],
    );
    take(filters);
    // A filter without values stays in the form, to be filled in again.
    paint();
    if (filter !== undefined) {
      list.querySelectorAll<HTMLInputElement>('.filter input')[index]?.focus();
    }
  }

  function paint(): void {
    slots = current().map(filterSlot);
    fill(list, ...slots.map(({ element }) => element));
  }

  function filterSlot(filter: QueryFilter, index: number): FieldSlot {
    const { id, mode, values } = filter;
    const name = fieldName(draft.fields(), id);
    const field = draft.fields().find((one) => one.id === id);
    const takeValue = (value: string) =>
      change(index, { ...filter, values: [...values.filter((one) => one !== value), value] });
    const box = combobox({
      label: `Values of ${name}`,
      placeholder: values.length === 0 ? 'Type to find values' : 'Add a value',
      find: async (text) => {
        if (field === undefined) return [];
        const found = await draft.context.api.fieldValues(field, text).catch(() => []);
        return found
          .filter((value) => !values.includes(value))
          .map((value) => ({ value, label: value }));
      },
      onChoose: ({ value }) => takeValue(value),
      onFreeText: takeValue,
    });
    const kind = select(modes, mode, (chosen) => change(index, { ...filter, mode: chosen }), {
      'aria-label': `Include or exclude these values of ${name}`,
    });
    const remove = button('×', () => change(index, undefined), {
      class: 'quiet remove',
      'aria-label': `Remove the filter on ${name}`,
    });
    const removeValue = (value: string) =>
      change(index, { ...filter, values: values.filter((one) => one !== value) });
    const slot = fieldSlot({
      label: name,
      control: h(
        'div',
        {},
        h('div', { class: 'filter-head' }, kind, remove),
        chips(values, `value`, removeValue),
        box.element,
      ),
      handles: (path) => path === `${own}[${index}]` || path.startsWith(`${own}[${index}][`),
    });
    slot.element.classList.add('filter');
    return slot;
  }
}

const modes: readonly (readonly [QueryFilter['mode'], string])[] = [
  ['include', 'is'],
  ['exclude', 'is not'],
];
