import { button, fill, h } from '../dom/h.ts';
import {
  allHours,
  dayNames,
  peakHours,
  readWeekHours,
  type Weekday,
  weekdayKeys,
  type WeekHours,
  weekHoursText,
  weekHoursWords,
  wholeWeek,
} from '../state/week-hours.ts';

/**
 * Hours of the week to paint: drag over the cells, or press the buttons of days and hours, which arrow keys move
 * through. One tab stop. `onChange` has the text of the link; empty: the whole week.
 */
export function weekGrid(label: string, onChange: (text: string) => void) {
  let shown = wholeWeek;
  let start: { readonly day: number; readonly hour: number } | undefined;
  const dayButtons = weekdayKeys.map((day) =>
    toggle(dayNames[day].slice(0, 3), dayNames[day].slice(0, 3), () =>
      change({ ...shown, days: toggled(shown.days, day, weekdayKeys) }),
    ),
  );
  const hourButtons = allHours.map((hour) =>
    toggle(hour % 6 === 0 ? String(hour) : '', `${hour}:00 to ${hour + 1}:00`, () =>
      change({ ...shown, hours: toggled(shown.hours, hour, allHours) }),
    ),
  );
  const cells = weekdayKeys.map((_, day) =>
    allHours.map((hour) =>
      h('div', { class: 'week-cell', 'data-day': day, 'data-hour': hour, 'aria-hidden': 'true' }),
    ),
  );
  const grid = h(
    'div',
    {
      class: 'week-grid',
      role: 'toolbar',
      'aria-label': `${label}: days and hours`,
      onkeydown: onKey,
      onpointerdown: begin,
      onpointermove: extend,
      onpointerup: end,
      onpointercancel: end,
    },
    h('span', { 'aria-hidden': 'true' }),
    ...hourButtons,
    ...cells.flatMap((row, day) => [dayButtons[day], ...row]),
  );
  const words = h('p', { class: 'hint' });
  const element = h(
    'div',
    {},
    grid,
    words,
    h(
      'div',
      { class: 'week-presets' },
      button('Weekday evenings', () => change(readWeekHours(peakHours)), { class: 'preset' }),
      button('All hours', () => change(wholeWeek), { class: 'preset' }),
    ),
  );
  paint(wholeWeek);
  setTabStop(hourButtons[0]);
  return { element, show: (text: string) => paint(readWeekHours(text)) };

  function toggle(text: string, name: string, onclick: () => void): HTMLButtonElement {
    return button(text, onclick, { class: 'week-button', 'aria-label': name, tabindex: -1 });
  }

  function change(hours: WeekHours): void {
    paint(hours);
    onChange(weekHoursText(hours));
  }

  function paint(hours: WeekHours): void {
    shown = hours;
    for (const [i, day] of weekdayKeys.entries()) press(dayButtons[i], hours.days.includes(day));
    for (const hour of allHours) press(hourButtons[hour], hours.hours.includes(hour));
    for (const [i, day] of weekdayKeys.entries()) {
      for (const hour of allHours) {
        const isOn = hours.days.includes(day) && hours.hours.includes(hour);
        cells[i]?.[hour]?.classList.toggle('is-on', isOn);
      }
    }
    const text = weekHoursText(hours);
    fill(words, text === '' ? 'All hours of the week' : weekHoursWords(text));
  }

  /** Arrow keys move along the hours and along the days; with Shift they also press or release. */
  function onKey(event: KeyboardEvent): void {
    const from = event.target as HTMLButtonElement;
    const hour = hourButtons.indexOf(from);
    const day = dayButtons.indexOf(from);
    const [list, at, step] =
      hour >= 0
        ? [hourButtons, hour, hourSteps[event.key]]
        : [dayButtons, day, daySteps[event.key]];
    if (event.key === 'ArrowDown' && hour >= 0) move(dayButtons[0]);
    else if (event.key === 'ArrowUp' && day === 0) move(hourButtons[0]);
    else if (step === undefined) return;
    else {
      const next = list[Math.min(Math.max(at + step, 0), list.length - 1)];
      const isOn = from.getAttribute('aria-pressed');
      move(next);
      if (event.shiftKey && next?.getAttribute('aria-pressed') !== isOn) next?.click();
    }
    event.preventDefault();
  }

  function move(to: HTMLButtonElement | undefined): void {
    setTabStop(to);
    to?.focus();
  }

  function setTabStop(to: HTMLButtonElement | undefined): void {
    for (const one of [...dayButtons, ...hourButtons]) one.tabIndex = one === to ? 0 : -1;
  }

  function begin(event: PointerEvent): void {
    start = placeOf(event);
    if (start === undefined) return;
    event.preventDefault();
    extend(event);
  }

  function extend(event: PointerEvent): void {
    const to = start && placeOf(event);
    if (start === undefined || to === undefined) return;
    const between = <T>(all: readonly T[], a: number, b: number) =>
      all.slice(Math.min(a, b), Math.max(a, b) + 1);
    paint({
      days: between(weekdayKeys, start.day, to.day),
      hours: between(allHours, start.hour, to.hour),
    });
  }

  function end(): void {
    if (start === undefined) return;
    start = undefined;
    change(shown);
  }

  /** By position: a touch stays with the element where it began. */
  function placeOf({ clientX, clientY }: PointerEvent) {
    const cell = document.elementFromPoint(clientX, clientY);
    if (!(cell instanceof HTMLElement) || cell.dataset.hour === undefined) return undefined;
    if (!grid.contains(cell)) return undefined;
    return { day: Number(cell.dataset.day), hour: Number(cell.dataset.hour) };
  }
}

const hourSteps: Readonly<Record<string, number>> = {
  ArrowLeft: -1,
  ArrowRight: 1,
  Home: -24,
  End: 24,
};
const daySteps: Readonly<Record<string, number>> = {
  ArrowUp: -1,
  ArrowDown: 1,
  Home: -7,
  End: 7,
};

function press(element: HTMLElement | undefined, isOn: boolean): void {
  element?.setAttribute('aria-pressed', String(isOn));
}

/** Of all, the first choice is that one only; without a choice, all are again. */
function toggled<T extends Weekday | number>(
  chosen: readonly T[],
  one: T,
  all: readonly T[],
): readonly T[] {
  if (chosen.length === all.length) return [one];
  const next = chosen.includes(one) ? chosen.filter((other) => other !== one) : [...chosen, one];
  return next.length === 0 ? all : next;
}
