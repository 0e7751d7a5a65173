import type { Field } from '../../../../openapi/client/index.ts';
import { type Choice, combobox } from '../dom/combobox.ts';
import { rankMatches } from '../dom/rank-matches.ts';
import { fill, h } from '../dom/h.ts';
import { chips, fieldSlot, type FieldSlot, type QueryDraft } from './field-slot.ts';

export function splitsField(draft: QueryDraft): FieldSlot {
  // A set is for filters only: an agent may be in several.
  const fields = () => draft.fields().filter(({ id }) => id !== 'set');
  const box = combobox({
    label: 'Split by',
    placeholder: 'Add a split',
    find: (text) => fieldChoices(fields(), text, draft.query.splits),
    onChoose: ({ value }) => add(value),
    onFreeText: add,
  });
  const list = h('div', {});

  function add(id: string): void {
    box.input.value = '';
    set([...others(id), id]);
  }

  function others(id: string): readonly string[] {
    return draft.query.splits.filter((one) => one !== id);
  }

  function set(splits: readonly string[]): void {
    draft.take({ splits });
    paint();
  }

  function paint(): void {
    fill(
      list,
      chips(
        draft.query.splits,
        'split',
        (id) => set(others(id)),
        (id) => fieldName(fields(), id),
      ),
    );
  }

  paint();
  return fieldSlot({
    label: 'Split by',
    input: box.input,
    control: h('div', {}, list, box.element),
    handles: (path) => path === 'splits' || path.startsWith('splits['),
  });
}

/** The fields that match a text, without the chosen ones. */
export function fieldChoices(
  fields: readonly Field[],
  text: string,
  chosen: readonly string[] = [],
): readonly Choice[] {
  const open = fields.filter(({ id }) => !chosen.includes(id));
  const searched = open.map((field) => ({
    item: field,
    name: field.name,
    about: `${field.id} ${field.description}`,
  }));
  return rankMatches(searched, text).map(({ id, name, description }) => ({
    value: id,
    label: name,
    note: id === name ? '' : id,
    about: description,
  }));
}

/** The name of a field for people. */
export function fieldName(fields: readonly Field[], id: string): string {
  return fields.find((field) => field.id === id)?.name ?? id;
}
