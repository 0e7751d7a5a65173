import type { Aggregation } from '../state/view-state.ts';

const utc = (options: Intl.DateTimeFormatOptions) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', ...options });
const dayText = utc({ weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
const monthText = utc({ month: 'long', year: 'numeric' });
const clockText = utc({ hour: '2-digit', minute: '2-digit' });
const exactClockText = utc({ hour: '2-digit', minute: '2-digit', second: '2-digit' });

const weekdays = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** What an x value means: `Sun, 8 Nov 2026, 13:00`, `Q3 2026`, `Tue`, `07:00`. */
export function xText(x: number, aggregation: Aggregation): string {
  if (aggregation === 'hour_of_day') return `${String(x).padStart(2, '0')}:00`;
  if (aggregation === 'day_of_week') return weekdays[x - 1] ?? String(x);
  if (aggregation === 'day_of_month') return String(x);
  const date = new Date(x * 1000);
  if (aggregation === 'raw') return `${dayText.format(date)}, ${exactClockText.format(date)}`;
  if (aggregation === 'daily') return dayText.format(date);
  if (aggregation === 'weekly') return `Week of ${dayText.format(date)}`;
  if (aggregation === 'monthly') return monthText.format(date);
  if (aggregation === 'quarterly') {
    return `Q${Math.floor(date.getUTCMonth() / 3) + 1} ${date.getUTCFullYear()}`;
  }
  return `${dayText.format(date)}, ${clockText.format(date)}`;
}

const axisDay = utc({ day: 'numeric', month: 'short' });
const axisMonth = utc({ month: 'short', year: 'numeric' });

/** A tick of a time axis, as fine as the ticks are apart. */
export function tickText(x: number, stepSeconds: number): string {
  const date = new Date(x * 1000);
  if (stepSeconds >= 27 * 86_400) return axisMonth.format(date);
  const isMidnight = x % 86_400 === 0;
  return stepSeconds >= 86_400 || isMidnight ? axisDay.format(date) : clockText.format(date);
}
