import {
  aggregationDefinition,
  type AggregationDefinition,
} from '../../../catalog/aggregations.ts';
import { locale } from '../dom/locale.ts';
import type { Aggregation } from '../state/view-state.ts';

const utc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat(locale, { timeZone: 'UTC', ...options });
const dayText = utc({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
const monthText = utc({ month: 'long', year: 'numeric' });
const clockText = utc({ hour: '2-digit', minute: '2-digit' });
const exactClockText = utc({ hour: '2-digit', minute: '2-digit', second: '2-digit' });

const weekdayText = utc({ weekday: 'short' });
/** From Monday, which was 5 January 1970. */
export const weekdays = Array.from({ length: 7 }, (_, i) =>
  weekdayText.format((4 + i) * 86_400_000),
);

/** An x value as text: `Sun, 8 Nov 2026, 13:00`, `Q3 2026`, `Tue`, `07:00`. */
export function xText(x: number, aggregation: Aggregation): string {
  const date = new Date(x * 1000);
  if (aggregation === 'raw') return `${dayText.format(date)}, ${exactClockText.format(date)}`;
  const { numbers, step } = aggregationDefinition(aggregation);
  if (numbers !== undefined) return numberText[numbers](x);
  return stepText(date, step);
}

const hourText = (x: number) => `${String(x).padStart(2, '0')}:00`;
const numberText = {
  hours: hourText,
  weekdays: (x: number) => weekdays[x - 1] ?? String(x),
  days: String,
  weekHours: (x: number) => `${weekdays[Math.floor(x / 24)] ?? ''} ${hourText(x % 24)}`,
};

function stepText(date: Date, step: AggregationDefinition['step']): string {
  if (step !== undefined && 'months' in step) return monthsText(date, step.months);
  if (step?.hours === 24) return dayText.format(date);
  if (step?.hours === 7 * 24) return `Week of ${dayText.format(date)}`;
  return `${dayText.format(date)}, ${clockText.format(date)}`;
}

/** `Q3 2026`, `2026`, `July 2026`, `July–December 2026`. */
function monthsText(date: Date, months: number): string {
  const year = date.getUTCFullYear();
  if (months === 3) return `Q${Math.floor(date.getUTCMonth() / 3) + 1} ${year}`;
  if (months === 12) return String(year);
  return monthText.formatRange(date, Date.UTC(year, date.getUTCMonth() + months - 1));
}

const axisDay = utc({ day: 'numeric', month: 'short' });
const axisMonth = utc({ month: 'short', year: 'numeric' });

/** The label of a tick on a time axis; its precision depends on the distance between ticks. */
export function tickText(x: number, stepSeconds: number): string {
  const date = new Date(x * 1000);
  if (stepSeconds >= 27 * 86_400) return axisMonth.format(date);
  const isMidnight = x % 86_400 === 0;
  return stepSeconds >= 86_400 || isMidnight ? axisDay.format(date) : clockText.format(date);
}
