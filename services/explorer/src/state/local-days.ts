import type { Query } from './view-state.ts';

interface Range {
  readonly from: string;
  readonly to: string;
}

const dayMs = 86_400_000;

/**
 * The range of a query. The last days end yesterday, by the browser's clock; the service marks a day that has not
 * ended in every household's time zone.
 */
export function rangeOf({ lastDays, from, to }: Query, now = new Date()): Range {
  if (lastDays === undefined) return { from, to };
  return { from: daysBefore(now, lastDays), to: daysBefore(now, 1) };
}

/** The range of the same length before it. Undefined if it is not one of dates, times or numbers of days. */
export function rangeBefore(query: Query, now = new Date()): Range | undefined {
  const { from, to } = rangeOf(query, now);
  if (isDate(from) && isDate(to)) {
    const days = Math.round((dateMs(to) - dateMs(from)) / dayMs) + 1;
    if (days < 1) return undefined;
    return { from: shifted(from, -days), to: shifted(from, -1) };
  }
  const [start, end] = [daysAgo(from), daysAgo(to)];
  if (start !== undefined && end !== undefined) {
    return { from: `-${2 * start - end} days`, to: `-${start} days` };
  }
  const [startMs, endMs] = [clockMs(from), clockMs(to)];
  if (Number.isNaN(startMs) || Number.isNaN(endMs)) return undefined;
  return { from: clock(2 * startMs - endMs - 1000), to: clock(startMs - 1000) };
}

function daysBefore(now: Date, days: number): string {
  return isoDay(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate() - days));
}

function isDate(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text);
}

function dateMs(date: string): number {
  return Date.parse(`${date}T00:00:00Z`);
}

function shifted(date: string, days: number): string {
  return isoDay(dateMs(date) + days * dayMs);
}

function isoDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

function daysAgo(text: string): number | undefined {
  if (text === 'now') return 0;
  const days = /^-(\d+) days?$/.exec(text)?.[1];
  return days === undefined ? undefined : Number(days);
}

function clockMs(text: string): number {
  return Date.parse(`${text.replace(' ', 'T')}Z`);
}

function clock(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}
