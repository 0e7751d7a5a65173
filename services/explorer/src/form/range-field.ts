import { button, freshId, h, textInput } from '../dom/h.ts';
import { rangeOf } from '../state/local-days.ts';
import type { Query } from '../state/view-state.ts';
import { fieldSlot, type QueryDraft } from './field-slot.ts';

type Range = Pick<Query, 'lastDays' | 'from' | 'to'>;

const presets = [1, 7, 28, 90];
const relativeTimes = [
  'now',
  '-1 days',
  '-7 days',
  '-28 days',
  '-90 days',
  'last monday',
  'this monday',
];

/** Start and end, each a date from a picker or a relative time, and buttons for common ranges. */
export function rangeField(draft: QueryDraft) {
  // The last days are shown as the two dates that they are today.
  const shown = () => rangeOf(draft.query);
  const listId = freshId('times');
  const from = endField('From', 'from');
  const to = endField('To', 'to');
  const buttons = presets.map((days) => {
    const label = days === 1 ? '1 day' : `${days} days`;
    const choose = () => {
      change({ lastDays: days, from: '', to: '' });
      const dates = shown();
      from.input.value = dates.from;
      to.input.value = dates.to;
    };
    return button(label, choose, { class: 'preset', 'aria-label': `Last ${label}` });
  });
  const whole = fieldSlot({
    label: 'Range',
    control: h('div', { class: 'presets' }, ...buttons),
    hint: "Dates are in each household's local time. Use now or -7 days for the same instant in every time zone.",
    handles: (path) => path === 'time',
  });
  const list = h(
    'datalist',
    { id: listId },
    ...relativeTimes.map((value) => h('option', { value })),
  );
  mark();
  return {
    element: h(
      'div',
      { class: 'range' },
      whole.element,
      h('div', { class: 'ends' }, from.slot.element, to.slot.element),
      list,
    ),
    slots: [whole, from.slot, to.slot],
  };

  function endField(label: string, end: 'from' | 'to') {
    const input = textInput({
      list: listId,
      placeholder: '2026-01-31 13:00',
      onchange: () => change(withEnd(input.value.trim())),
    });
    input.value = shown()[end];
    const picker = h('input', {
      type: 'datetime-local',
      class: 'picker',
      tabindex: -1,
      'aria-hidden': 'true',
      onchange: () => {
        input.value = picker.value.replace('T', ' ');
        change(withEnd(input.value));
      },
    });
    const pick = () => {
      if (/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}/.test(input.value)) {
        picker.value = input.value.slice(0, 16).replace(' ', 'T');
      }
      picker.showPicker();
    };
    const calendar = button(calendarIcon(), pick, {
      class: 'pick',
      'aria-label': `Pick ${label === 'From' ? 'the start' : 'the end'} from a calendar`,
    });
    const slot = fieldSlot({
      label,
      input,
      control: h('div', { class: 'with-button' }, input, calendar, picker),
      handles: (path) => path === `time[${end}]`,
    });
    return { input, slot };

    function withEnd(text: string): Range {
      return { ...shown(), lastDays: undefined, [end]: text };
    }
  }

  function change(range: Range): void {
    draft.take(range);
    mark();
  }

  function mark(): void {
    for (const [i, button] of buttons.entries()) {
      const isOn = draft.query.lastDays === presets[i];
      button.setAttribute('aria-pressed', String(isOn));
    }
  }
}

function calendarIcon(): HTMLElement {
  return h('span', { class: 'icon icon-calendar', 'aria-hidden': 'true' });
}
