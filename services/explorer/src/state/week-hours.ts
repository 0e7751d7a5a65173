/** Hours of the week: every one of the hours on every one of the days, as `window` of a request has them. */
export interface WeekHours {
  readonly days: readonly Weekday[];
  readonly hours: readonly number[];
}

export const weekdayKeys = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
export type Weekday = (typeof weekdayKeys)[number];

export const allHours: readonly number[] = Array.from({ length: 24 }, (_, hour) => hour);
export const wholeWeek: WeekHours = { days: weekdayKeys, hours: allHours };

/** Weekday evenings, when networks are busiest. */
export const peakHours = 'mon.tue.wed.thu.fri~19.20.21.22';

/** `mon.tue~19.20`; all days or all hours are left out, and the whole week is empty. */
export function weekHoursText({ days, hours }: WeekHours): string {
  const listed = <T>(chosen: readonly T[], all: readonly T[]) =>
    chosen.length === all.length ? '' : all.filter((one) => chosen.includes(one)).join('.');
  const text = `${listed(days, weekdayKeys)}~${listed(hours, allHours)}`;
  return text === '~' ? '' : text;
}

const dayForm = '(?:mon|tue|wed|thu|fri|sat|sun)';
const hourForm = String.raw`(?:1?\d|2[0-3])`;
export const weekHoursForm = new RegExp(
  String.raw`^(?:${dayForm}(?:\.${dayForm})*)?~(?:${hourForm}(?:\.${hourForm})*)?$`,
);

/** The whole week if the text is empty or invalid. */
export function readWeekHours(text: string): WeekHours {
  if (!weekHoursForm.test(text)) return wholeWeek;
  const [days = '', hours = ''] = text.split('~');
  const chosen = <T>(part: string, all: readonly T[]) =>
    part === '' ? all : all.filter((one) => part.split('.').includes(String(one)));
  return { days: chosen(days, weekdayKeys), hours: chosen(hours, allHours) };
}

/** `Monday to Friday 19:00 to 23:00`. */
export function weekHoursWords(text: string): string {
  const { days, hours } = readWeekHours(text);
  const dayWords =
    days.length === 7
      ? 'every day'
      : runsOf(days.map((day) => weekdayKeys.indexOf(day)))
          .map(([from, to]) =>
            from === to ? dayNameOf(from) : `${dayNameOf(from)} to ${dayNameOf(to)}`,
          )
          .join(', ');
  if (hours.length === 24) return dayWords;
  const hourWords = runsOf(hours).map(([from, to]) => `${from}:00 to ${to + 1}:00`);
  return `${dayWords} ${hourWords.join(', ')}`;
}

export const dayNames: Readonly<Record<Weekday, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

function dayNameOf(index: number): string {
  const day = weekdayKeys[index];
  return day === undefined ? '' : dayNames[day];
}

/** The first and last of numbers that follow each other. */
function runsOf(numbers: readonly number[]): readonly (readonly [number, number])[] {
  const runs: [number, number][] = [];
  for (const number of numbers) {
    const last = runs.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else runs.push([number, number]);
  }
  return runs;
}
