import { locale } from '../dom/locale.ts';
import { rangeOf } from './local-days.ts';
import type { Query } from './view-state.ts';

interface Range {
  readonly from: string;
  readonly to: string;
}

/** The range of a query with dates: what is relative to today would be wrong in print tomorrow. */
export function absoluteRange(query: Query, now = new Date()): Range {
  const { from, to } = rangeOf(query, now);
  return { from: absolute(from, now), to: absolute(to, now) };
}

function absolute(text: string, now: Date): string {
  if (/^\d{4}-\d{2}-\d{2}/.test(text)) return text;
  const days = text === 'now' ? 0 : Number(/^-(\d+) days?$/.exec(text)?.[1] ?? NaN);
  if (Number.isNaN(days)) return `${text} (as of ${now.toISOString().slice(0, 10)})`;
  return new Date(now.getTime() - days * 86_400_000).toISOString().slice(0, 10);
}

const day = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'UTC' });

/** `1–28 November 2026`; ends that are not whole days are shown as they were entered. */
export function rangeWords({ from, to }: Range): string {
  const [start, end] = [wholeDay(from, '00:00'), wholeDay(to, '23:59')];
  return start === undefined || end === undefined
    ? `${from} to ${to}`
    : day.formatRange(start, end);
}

function wholeDay(text: string, clock: string): Date | undefined {
  const [date = '', time = clock] = text.split(/[ T]/);
  const isWhole = /^\d{4}-\d{2}-\d{2}$/.test(date) && time.startsWith(clock);
  const parsed = new Date(`${date}T00:00:00Z`);
  return isWhole && !Number.isNaN(parsed.getTime()) ? parsed : undefined;
}
