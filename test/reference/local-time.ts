import moment from 'moment-timezone';

/**
 * The household's local time as if it were UTC, so that plain date arithmetic works on it. Without a
 * time zone it is UTC.
 */
export function localTimeMs(utcMs: number, timezone: string | null): number {
  return utcMs + moment.tz(utcMs, timezone ?? 'UTC').utcOffset() * 60_000;
}

/** `2026-10-25T01:30:00` */
export function clockText(localMs: number): string {
  return new Date(localMs).toISOString().slice(0, 19);
}
