import type { Field } from '../../../../openapi/client/index.ts';
import { combobox } from '../dom/combobox.ts';
import { fill, h } from '../dom/h.ts';
import type { QuestionFilter } from '../state/view-state.ts';
import { chips } from './chips.ts';
import { fieldSlot, type FieldSlot } from './field-slot.ts';
import { fieldChoices } from './splits-field.ts';

interface FiltersFieldParts {
  readonly fields: () => readonly Field[];
  /** Of the linked list, those that start with a text. */
  readonly valuesOf: (field: Field, search: string) => Promise<readonly string[]>;
  readonly chosen: readonly QuestionFilter[];
  readonly onChange: (filters: readonly QuestionFilter[]) => void;
}

export interface FiltersField {
  readonly element: HTMLElement;
  /** Changes with the filters, so it is asked for when errors are shown. */
  readonly slots: () => readonly FieldSlot[];
}

/** Any number of filters: a field, keep or drop, and values from the service's own list. */
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
    takes: (path) => path === 'filters',
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

  function change(index: number, filter: QuestionFilter | undefined): void {
    current = current.flatMap((one, i) =>
      i !== index ? [one] : filter === undefined ? [] : [filter],
    );
    parts.onChange(current);
    // An empty filter would be refused: with its last value gone it stays, to be filled again.
    paint();
    if (filter !== undefined) {
      list.querySelectorAll<HTMLInputElement>('.filter input')[index]?.focus();
    }
  }

  function paint(): void {
    slots = current.map(filterSlot);
    fill(list, ...slots.map(({ element }) => element));
  }

  function filterSlot(filter: QuestionFilter, index: number): FieldSlot {
    const { id, mode, values } = filter;
    const field = parts.fields().find((one) => one.id === id);
    const takeValue = (value: string) =>
      change(index, { ...filter, values: [...values.filter((one) => one !== value), value] });
    const box = combobox({
      label: `Values of ${id}`,
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
        'aria-label': `Keep or drop these values of ${id}`,
        onchange: () => change(index, { ...filter, mode: kind.value as QuestionFilter['mode'] }),
      },
      h('option', { value: 'include', selected: mode === 'include' }, 'is'),
      h('option', { value: 'exclude', selected: mode === 'exclude' }, 'is not'),
    );
    const remove = h(
      'button',
      {
        type: 'button',
        class: 'quiet remove',
        'aria-label': `Remove the filter on ${id}`,
        onclick: () => change(index, undefined),
      },
      '×',
    );
    const removeValue = (value: string) =>
      change(index, { ...filter, values: values.filter((one) => one !== value) });
    const slot = fieldSlot({
      label: id,
      control: h(
        'div',
        {},
        h('div', { class: 'filter-head' }, kind, remove),
        chips(values, `value`, removeValue),
        box.element,
      ),
      takes: (path) => path === `filters[${index}]` || path.startsWith(`filters[${index}].`),
    });
    slot.element.classList.add('filter');
    return slot;
  }
}
