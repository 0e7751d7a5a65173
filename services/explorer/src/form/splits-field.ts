import type { Field } from '../../../../openapi/client/index.ts';
import { rankMatches } from '../dom/rank-matches.ts';
import { type Choice, combobox } from '../dom/combobox.ts';
import { fill, h } from '../dom/h.ts';
import { chips } from './chips.ts';
import { fieldSlot, type FieldSlot } from './field-slot.ts';

interface SplitsFieldParts {
  /** Fields by which the chosen metric can be split. */
  readonly fields: () => readonly Field[];
  readonly chosen: readonly string[];
  readonly onChange: (splits: readonly string[]) => void;
}

export function splitsField({ fields, chosen, onChange }: SplitsFieldParts): FieldSlot {
  let current = chosen;
  const box = combobox({
    label: 'Split by',
    placeholder: 'Add a split',
    find: (text) => fieldChoices(fields(), text, current),
    onChoose: ({ value }) => add(value),
    onFreeText: add,
  });
  const list = h('div', {});

  function add(id: string): void {
    box.input.value = '';
    set([...current.filter((one) => one !== id), id]);
  }

  function set(splits: readonly string[]): void {
    current = splits;
    paint();
    onChange(splits);
  }

  function paint(): void {
    fill(
      list,
      chips(
        current,
        'split',
        (id) => set(current.filter((one) => one !== id)),
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
