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
 *   now                  today, up to this second
 *   +3 days, -7 days     the whole day three days after, or seven days before today
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
  if (wordOf(text) === 'now') {
    const secondStartMs = Math.floor(now.getTime() / secondMs) * secondMs;
    return { fromMs: dayOf(secondStartMs).fromMs, toMs: secondStartMs + secondMs - 1 };
  }
  const instantMs = relativeInstantMs(text, now);
  if (instantMs !== undefined) return dayOf(instantMs);
  return weekdayPeriod(text, now) ?? calendarPeriod(text);
}

/** `now`, or a number of days from now: `-7 days` is exactly 168 hours ago. */
export function relativeInstantMs(text: string, now: Date): number | undefined {
  const nowMs = now.getTime();
  const word = wordOf(text);
  if (word === 'now') return Math.floor(nowMs / secondMs) * secondMs;
  const days = /^([+-]) ?(\d{1,5}) days?$/.exec(word);
  if (days === null) return undefined;
  const instantMs = nowMs + Number(`${days[1] ?? ''}${days[2] ?? ''}`) * dayMs;
  return ifStorable(dayOf(instantMs)) && instantMs;
}

/** The day of `last monday` or `2026-01-31`, as `2026-01-31`; undefined for everything else. */
export function calendarDay(text: string, now: Date): string | undefined {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text.trim());
  const period = isDay ? calendarPeriod(text) : weekdayPeriod(text, now);
  return period && new Date(period.fromMs).toISOString().slice(0, 10);
}

function wordOf(text: string): string {
  return text.trim().toLowerCase();
}

function weekdayPeriod(text: string, now: Date): Period | undefined {
  const weekday = /^(last|this|next) ([a-z]+)$/.exec(wordOf(text));
  const index = dayNames.findIndex(
    (name) => name === weekday?.[2] || name.slice(0, 3) === weekday?.[2],
  );
  if (weekday === null || index === -1) return undefined;
  return dayOf(now.getTime() + daysUntil(index, weekday[1] ?? '', now.getUTCDay()) * dayMs);
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
  return fromMs === undefined ? undefined : ifStorable(dayOf(fromMs));
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
  return ifStorable({ fromMs, toMs: endMs - 1 });
}

function dayOf(ms: number): Period {
  const fromMs = Math.floor(ms / dayMs) * dayMs;
  return { fromMs, toMs: fromMs + dayMs - 1 };
}

// ClickHouse's DateTime ranges from 1970 to February 2106.
const firstMs = Date.UTC(1970, 0, 1);
const lastMs = Date.UTC(2106, 0, 1) - 1;

function ifStorable(period: Period): Period | undefined {
  return period.fromMs >= firstMs && period.toMs <= lastMs ? period : undefined;
}
