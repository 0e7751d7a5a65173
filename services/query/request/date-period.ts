/** A period of UTC time, to the millisecond; both ends are included. */
export interface Period {
  readonly fromMs: number;
  readonly toMs: number;
}

const secondMs = 1000;
export const dayMs = 86_400_000;

/**
 * Parses a date in UTC. Returns undefined if the format is unknown or the day does not exist:
 *
 *   now                  this second
 *   +3 days, -7 days     the whole day that is so many days from today
 *   last monday          the nearest Monday before today
 *   this monday          today if it is a Monday, otherwise the next one
 *   next monday          the nearest Monday after today
 *   2026-01-31, 20260131 that day
 *   2026-01              that month
 *   2026                 that year
 *
 * Words are case-insensitive. Weekdays follow PHP's strtotime, the origin of the contract's formats.
 */
export function datePeriod(text: string, now: Date): Period | undefined {
  return relativePeriod(text, now)?.period ?? calendarPeriod(text);
}

/** A relative date as an instant: `-7 days` is exactly 168 hours ago, `last monday` its midnight. */
export function relativeInstantMs(text: string, now: Date): number | undefined {
  return relativePeriod(text, now)?.instantMs;
}

interface RelativeDate {
  readonly period: Period;
  readonly instantMs: number;
}

function relativePeriod(text: string, now: Date): RelativeDate | undefined {
  const nowMs = now.getTime();
  const word = text.trim().toLowerCase();
  if (word === 'now') {
    const fromMs = Math.floor(nowMs / secondMs) * secondMs;
    return { period: { fromMs, toMs: fromMs + secondMs - 1 }, instantMs: fromMs };
  }
  const days = /^([+-]) ?(\d{1,5}) days?$/.exec(word);
  if (days !== null) {
    const instantMs = nowMs + Number(`${days[1] ?? ''}${days[2] ?? ''}`) * dayMs;
    return ifStorable({ period: dayOf(instantMs), instantMs });
  }
  const weekday = /^(last|this|next) ([a-z]+)$/.exec(word);
  const index = dayNames.findIndex(
    (name) => name === weekday?.[2] || name.slice(0, 3) === weekday?.[2],
  );
  if (weekday === null || index === -1) return undefined;
  const period = dayOf(nowMs + daysUntil(index, weekday[1] ?? '', now.getUTCDay()) * dayMs);
  return { period, instantMs: period.fromMs };
}

// In the order of getUTCDay.
const dayNames = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

function daysUntil(day: number, which: string, today: number): number {
  const ahead = (day - today + 7) % 7;
  if (which === 'this') return ahead;
  if (which === 'next') return ahead === 0 ? 7 : ahead;
  return ahead - 7;
}

function calendarPeriod(text: string): Period | undefined {
  const form = /^(\d{4})(?:-(\d{2})(?:-(\d{2}))?|(\d{2})(\d{2}))?$/.exec(text.trim());
  if (form === null) return undefined;
  const year = Number(form[1]);
  const monthText = form[2] ?? form[4];
  const dayText = form[3] ?? form[5];
  if (monthText === undefined) return between(dateMs(year, 1, 1), dateMs(year + 1, 1, 1));
  const month = Number(monthText);
  if (dayText === undefined) {
    const next = month === 12 ? dateMs(year + 1, 1, 1) : dateMs(year, month + 1, 1);
    return between(dateMs(year, month, 1), next);
  }
  const fromMs = dateMs(year, month, Number(dayText));
  return fromMs === undefined ? undefined : ifStorable({ period: dayOf(fromMs) })?.period;
}

/** Midnight of a day, or undefined if the day does not exist, such as 30 February. */
export function dateMs(year: number, month: number, day: number): number | undefined {
  const ms = Date.UTC(year, month - 1, day);
  const date = new Date(ms);
  const exists =
    date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
  return exists ? ms : undefined;
}

function between(fromMs: number | undefined, endMs: number | undefined): Period | undefined {
  if (fromMs === undefined || endMs === undefined) return undefined;
  return ifStorable({ period: { fromMs, toMs: endMs - 1 } })?.period;
}

function dayOf(ms: number): Period {
  const fromMs = Math.floor(ms / dayMs) * dayMs;
  return { fromMs, toMs: fromMs + dayMs - 1 };
}

// ClickHouse's DateTime ranges from 1970 to February 2106.
const firstMs = Date.UTC(1970, 0, 1);
const lastMs = Date.UTC(2106, 0, 1) - 1;

function ifStorable<T extends { readonly period: Period }>(dated: T): T | undefined {
  return dated.period.fromMs >= firstMs && dated.period.toMs <= lastMs ? dated : undefined;
}
