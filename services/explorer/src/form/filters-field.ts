import type { Field } from '../../../../openapi/client/index.ts';
import { combobox } from '../dom/combobox.ts';
import { fill, h } from '../dom/h.ts';
import type { QueryFilter } from '../state/view-state.ts';
import { chips } from './chips.ts';
import { fieldSlot, type FieldSlot } from './field-slot.ts';
import { fieldChoices, fieldName } from './splits-field.ts';

interface FiltersFieldParts {
  readonly fields: () => readonly Field[];
  /** The values of a field that contain the words of a text, the best matches first. */
  readonly valuesOf: (field: Field, search: string) => Promise<readonly string[]>;
  readonly chosen: readonly QueryFilter[];
  readonly onChange: (filters: readonly QueryFilter[]) => void;
}

export interface FiltersField {
  readonly element: HTMLElement;
  /** A function, because the slots change with the filters. */
  readonly slots: () => readonly FieldSlot[];
}

/** Any number of filters: a field, include or exclude, and values suggested by the service. */
export function filtersField(parts: FiltersFieldParts): FiltersField {
  let current = [...parts.chosen];
  let slots: FieldSlot[] = [];
  const list = h('div', { class: 'filters' });
  const adder = combobox({
    label: 'Filter by',
    placeholder: 'Add a filter',
    find: (text) => fieldChoices(parts.fields(), text),
    onChoose: ({ value }) => add(value),
    onFreeText: add,
  });
  const whole = fieldSlot({
    label: 'Filter by',
    input: adder.input,
    control: h('div', {}, list, adder.element),
    handles: (path) => path === 'filters',
  });
  paint();
  return { element: whole.element, slots: () => [whole, ...slots] };

  function add(id: string): void {
    adder.input.value = '';
    current = [...current, { id, mode: 'include', values: [] }];
    paint();
    list.querySelector<HTMLInputElement>('.filter:last-child input')?.focus();
    parts.onChange(current);
  }

  function change(index: number, filter: QueryFilter | undefined): void {
    current = current.flatMap((one, i) =>
      i !== index ? [one] : filter === undefined ? [] : [filter],
    );
    parts.onChange(current);
    // A filter without values stays in the form, to be filled in again.
    paint();
    if (filter !== undefined) {
      list.querySelectorAll<HTMLInputElement>('.filter input')[index]?.focus();
    }
  }

  function paint(): void {
    slots = current.map(filterSlot);
    fill(list, ...slots.map(({ element }) => element));
  }

  function filterSlot(filter: QueryFilter, index: number): FieldSlot {
    const { id, mode, values } = filter;
    const name = fieldName(parts.fields(), id);
    const field = parts.fields().find((one) => one.id === id);
    const takeValue = (value: string) =>
      change(index, { ...filter, values: [...values.filter((one) => one !== value), value] });
    const box = combobox({
      label: `Values of ${name}`,
      placeholder: values.length === 0 ? 'Type to find values' : 'Add a value',
      find: async (text) => {
        if (field === undefined) return [];
        const found = await parts.valuesOf(field, text).catch(() => []);
        return found
          .filter((value) => !values.includes(value))
          .map((value) => ({ value, label: value }));
      },
      onChoose: ({ value }) => takeValue(value),
      onFreeText: takeValue,
    });
    const kind = h(
      'select',
      {
        'aria-label': `Include or exclude these values of ${name}`,
        onchange: () => change(index, { ...filter, mode: kind.value as QueryFilter['mode'] }),
      },
      h('option', { value: 'include', selected: mode === 'include' }, 'is'),
      h('option', { value: 'exclude', selected: mode === 'exclude' }, 'is not'),
    );
    const remove = h(
      'button',
      {
        type: 'button',
        class: 'quiet remove',
        'aria-label': `Remove the filter on ${name}`,
        onclick: () => change(index, undefined),
      },
      '×',
    );
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
      handles: (path) => path === `filters[${index}]` || path.startsWith(`filters[${index}][`),
    });
    slot.element.classList.add('filter');
    return slot;
  }
}
