import { calendarDay, relativeInstantMs } from '../date-period.ts';
import type { KnownAt } from '../selection.ts';
import { clockMs, parseClock } from '../parse-clock.ts';
import type { Parsing } from '../parse-context.ts';
import { isObject } from '../request-body.ts';
import type { RequestFields } from './request-field.ts';

export const knownAtFields = {
  knownAt: {
    component: 'KnownAt',
    schema: { type: 'string' },
    example: '2026-01-31 13:00:00',
    about: `Uses the metadata as it was recorded at this moment, to reproduce an earlier response: ISP, package, time zone (so local times too) and custom fields, without later changes, also backdated ones. Default: as it is recorded now. \`YYYY-MM-DD HH:MM\`, \`YYYY-MM-DD HH:MM:SS\`, with or without milliseconds, in UTC; also with \`T\` and \`Z\`. \`YYYY-MM-DD\` and \`last|this <day name>\` are 00:00 UTC of that day. \`now\` and \`-x days\` are relative to the request.

It concerns metadata only. Results that arrived later are included, and households that were erased since are absent. A change counts from the moment it was recorded; responses had it some seconds later, when it was published. The country of an agent, and the names of ISPs and packages, have no history.

422 if the moment is in the future or before the recorded history, which the message names, or if the organisation had more than 1,000,000 periods of metadata then (\`MAX_KNOWN_AT_PERIODS\`). 429 after too many different moments within three hours. The first request with a moment takes longer than the next ones.`,
    flags: { 'known-at': { value: 'TIME', about: 'metadata as it was recorded then' } },
  },
} satisfies RequestFields;

/** The moment of `knownAt`; undefined if it is absent or invalid, which parseKnownAt reports. */
export function knownAtMoment(body: unknown, now: Date): Date | undefined {
  const text = isObject(body) ? body.knownAt : undefined;
  const ms = typeof text === 'string' ? momentMs(text, now) : undefined;
  return ms === undefined || ms > now.getTime() ? undefined : new Date(ms);
}

/** The metadata of `knownAt`, which was looked up before: parsing has no access to a database. */
export function parseKnownAt(text: unknown, { now, knownAt, problems }: Parsing): KnownAt | null {
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
