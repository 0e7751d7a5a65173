import type { Problems } from '../../shared/errors/problems.ts';
import { calendarDay, relativeInstantMs } from './date-period.ts';
import type { KnownAt } from './metric-query.ts';
import { clockMs, parseClock } from './parse-clock.ts';
import type { ParseContext } from './parse-context.ts';
import { isObject } from './request-body.ts';

/** The moment of `knownAt`; undefined if it is absent or invalid, which parseKnownAt reports. */
export function knownAtMoment(body: unknown, now: Date): Date | undefined {
  const text = isObject(body) ? body.knownAt : undefined;
  const ms = typeof text === 'string' ? momentMs(text, now) : undefined;
  return ms === undefined || ms > now.getTime() ? undefined : new Date(ms);
}

/** The metadata of `knownAt`, which was looked up before: parsing has no access to a database. */
export function parseKnownAt(
  text: unknown,
  { now, knownAt }: ParseContext,
  problems: Problems,
): KnownAt | null {
  if (text === undefined || knownAt !== undefined) return knownAt ?? null;
  const ms = typeof text === 'string' ? momentMs(text, now) : undefined;
  return problems.add('knownAt', ms === undefined ? invalid : 'Must not be in the future.');
}

const invalid =
  'Invalid moment. Send YYYY-MM-DD HH:MM:SS in UTC, such as "2026-01-31 13:00:00", with or without seconds and milliseconds, YYYY-MM-DD, or now, -7 days, last monday.';

/** Like the bounds of `time`, but in UTC. A day stands for its start. */
function momentMs(text: string, now: Date): number | undefined {
  const [, day = '', minute = '', second = '00', fraction = ''] = momentForm.exec(text) ?? [];
  const clock =
    parseClock(`${day} ${minute}:${second}`) ?? parseClock(`${calendarDay(text, now) ?? ''} 00:00`);
  if (clock === undefined) return relativeInstantMs(text, now);
  return clockMs(clock) + Number(fraction.padEnd(3, '0'));
}

/** `2026-01-31 13:00`, `2026-01-31 13:00:05.123` and `2026-01-31T13:00:05.123Z`, as in other responses. */
const momentForm = /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(?::(\d{2})(?:\.(\d{1,3}))?)?Z?$/;
