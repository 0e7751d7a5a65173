import { dateMs } from './date-period.ts';

/** Parses `2026-01-31 13:00` or `2026-01-31 13:00:05`; returns it with seconds, undefined if invalid. */
export function parseClock(text: string): string | undefined {
  const form = /^(\d{4})-(\d{2})-(\d{2}) (\d{2}):(\d{2})(?::(\d{2}))?$/.exec(text);
  if (form === null) return undefined;
  const [, year, month, day, hour, minute, second = '00'] = form;
  const isDate = dateMs(Number(year), Number(month), Number(day)) !== undefined;
  const isTime = Number(hour) < 24 && Number(minute) < 60 && Number(second) < 60;
  const isStorable = Number(year) >= 1971 && Number(year) <= 2105;
  return isDate && isTime && isStorable ? `${text.slice(0, 16)}:${second}` : undefined;
}

export function clockMs(clock: string): number {
  return Date.parse(`${clock.replace(' ', 'T')}Z`);
}

/** `2026-01-31 13:00:05` */
export function clockOf(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}
