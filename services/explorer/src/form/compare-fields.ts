import { h, select, textInput } from '../dom/h.ts';
import { rangeBefore } from '../state/local-days.ts';
import { comparedWith, type ComparedWith, type Comparison } from '../state/view-state.ts';
import { fieldSlot, type FieldSlot, type QueryDraft, switchSlot } from './field-slot.ts';
import { filtersField } from './filters-field.ts';
import { overField } from './view-fields.ts';
import { weekGrid } from './week-grid.ts';

/** The other side of the view "Comparison". */
export function compareFields(draft: QueryDraft) {
  const take = (changes: Partial<Comparison>) => {
    draft.take({ compare: { ...draft.query.compare, ...changes } });
    paint();
  };
  const options = Object.entries(comparedWith) as [ComparedWith, string][];
  const kind = fieldSlot({
    label: 'Compare with',
    input: select(options, draft.query.compare.with, choose),
    handles: (path) => path === 'compare' || path === 'compare[to]',
  });
  const [from, to] = [endSlot('Other period from', 'from'), endSlot('Other period to', 'to')];
  const filters = filtersField(draft, {
    label: 'Other households',
    path: 'compare[filters]',
    filters: () => draft.query.compare.filters,
    take: (others) => take({ filters: others }),
  });
  const grid = weekGrid('Other hours', (window) => take({ window }));
  const hours = fieldSlot({
    label: 'Other hours',
    control: grid.element,
    hint: 'Choose the hours of this side in the section Report.',
    handles: (path) => path.startsWith('compare[window]'),
  });
  const knownInput = textInput({
    placeholder: '2026-01-31 13:00',
    value: draft.query.compare.knownAt,
    onchange: () => take({ knownAt: knownInput.value.trim() }),
  });
  const known = fieldSlot({
    label: 'Other metadata as recorded at (UTC)',
    input: knownInput,
    hint: 'Shows how much later changes of metadata moved a figure.',
    handles: (path) => path === 'compare[knownAt]',
  });
  const over = overField({
    query: draft.query.compare,
    take: (changes) => take(changes),
    label: 'Difference over',
  });
  const both = switchSlot(
    'Only households on both sides',
    'Leave households that joined or left out of the difference',
    'compare[agents]',
    draft.query.compare.isOfBoth,
    (isOfBoth) => take({ isOfBoth }),
  );
  const element = h(
    'div',
    { class: 'compare-fields' },
    kind.element,
    from.element,
    to.element,
    filters.element,
    hours.element,
    known.element,
    over.element,
    both.element,
  );
  paint();
  return { element, slots: () => [kind, from, to, hours, known, over, both, ...filters.slots()] };

  function choose(chosen: ComparedWith): void {
    const { compare } = draft.query;
    // The period before is a start for another one.
    const before = compare.from === '' ? rangeBefore(draft.query) : undefined;
    const range = chosen === 'period' && before !== undefined ? before : {};
    for (const [end, slot] of [
      ['from', from],
      ['to', to],
    ] as const) {
      const input = slot.element.querySelector('input');
      if (input !== null && before !== undefined) input.value = before[end];
    }
    take({ with: chosen, ...range });
  }

  function paint(): void {
    const { compare } = draft.query;
    from.element.hidden = to.element.hidden = compare.with !== 'period';
    filters.element.hidden = compare.with !== 'group';
    known.element.hidden = compare.with !== 'known';
    hours.element.hidden = compare.with !== 'window';
    grid.show(compare.window);
  }

  function endSlot(label: string, end: 'from' | 'to'): FieldSlot {
    const input = textInput({
      placeholder: '2026-01-31',
      value: draft.query.compare[end],
      onchange: () => take({ [end]: input.value.trim() }),
    });
    return fieldSlot({
      label,
      input,
      handles: (path) =>
        path === `compare[time][${end}]` || (end === 'from' && path === 'compare[time]'),
    });
  }
}
