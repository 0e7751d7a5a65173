import { freshId, h } from '../dom/h.ts';
import { fieldSlot, type FieldSlot } from './field-slot.ts';

interface Range {
  readonly from: string;
  readonly to: string;
}

interface RangeFieldParts {
  readonly range: Range;
  readonly onChange: (range: Range) => void;
}

const presets: readonly (readonly [label: string, from: string])[] = [
  ['1 day', '-1 days'],
  ['7 days', '-7 days'],
  ['28 days', '-28 days'],
  ['90 days', '-90 days'],
];
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
export function rangeField({ range, onChange }: RangeFieldParts): {
  readonly element: HTMLElement;
  readonly slots: readonly FieldSlot[];
} {
  let current = range;
  const listId = freshId('times');
  const from = endField('From', 'from');
  const to = endField('To', 'to');
  const buttons = presets.map(([label, start]) =>
    h(
      'button',
      {
        type: 'button',
        class: 'preset',
        'aria-label': `Last ${label}`,
        'aria-pressed': 'false',
        onclick: () => {
          change({ from: start, to: 'now' });
          from.input.value = start;
          to.input.value = 'now';
        },
      },
      label,
    ),
  );
  const whole = fieldSlot({
    label: 'Range',
    control: h('div', { class: 'presets' }, ...buttons),
    hint: "Dates and days such as last monday are in each household's local time. now and -7 days are the same moment for all.",
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

  function endField(label: string, end: keyof Range) {
    const input = h('input', {
      type: 'text',
      list: listId,
      autocomplete: 'off',
      spellcheck: 'false',
      placeholder: '2026-01-31 13:00',
      onchange: () => change({ ...current, [end]: input.value.trim() }),
    });
    input.value = range[end];
    const picker = h('input', {
      type: 'datetime-local',
      class: 'picker',
      tabindex: -1,
      'aria-hidden': 'true',
      onchange: () => {
        input.value = picker.value.replace('T', ' ');
        change({ ...current, [end]: input.value });
      },
    });
    const button = h(
      'button',
      {
        type: 'button',
        class: 'pick',
        'aria-label': `Pick ${label === 'From' ? 'the start' : 'the end'} from a calendar`,
        onclick: () => {
          if (/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}/.test(input.value)) {
            picker.value = input.value.slice(0, 16).replace(' ', 'T');
          }
          picker.showPicker();
        },
      },
      calendarIcon(),
    );
    const slot = fieldSlot({
      label,
      input,
      control: h('div', { class: 'with-button' }, input, button, picker),
      handles: (path) => path === `time[${end}]`,
    });
    return { input, slot };
  }

  function change(range: Range): void {
    current = range;
    mark();
    onChange(range);
  }

  function mark(): void {
    for (const [i, button] of buttons.entries()) {
      const isOn = current.to === 'now' && current.from === presets[i]?.[1];
      button.setAttribute('aria-pressed', String(isOn));
    }
  }
}

function calendarIcon(): HTMLElement {
  return h('span', { class: 'icon icon-calendar', 'aria-hidden': 'true' });
}
