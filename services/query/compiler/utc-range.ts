import type { TimeBound, TimeRange } from '../request/metric-query.ts';

/** The extreme UTC offsets: Baker Island is -12:00, Kiritimati is +14:00. */
const maxHoursBehind = 12;
const maxHoursAhead = 14;

/**
 * The UTC range that contains the requested range in every time zone, for the primary key. At +14:00,
 * midnight of 31 January is 14 hours earlier than in UTC.
 */
export function utcRange(time: TimeRange): {
  readonly fromUtc: string;
  /** Exclusive: the second after the last. */
  readonly endUtc: string;
} {
  return {
    fromUtc: shifted(boundText(time.from), time.from.kind === 'local' ? -maxHoursAhead * 3600 : 0),
    endUtc: shifted(boundText(time.to), time.to.kind === 'local' ? maxHoursBehind * 3600 + 1 : 1),
  };
}

/** The first and the last UTC day that have results of the ranges. */
export function utcDays(times: readonly TimeRange[]): {
  readonly fromDay: string;
  readonly toDay: string;
} {
  const ranges = times.map(utcRange);
  const days = (texts: readonly string[]) => texts.map((text) => text.slice(0, 10)).sort();
  return {
    fromDay: days(ranges.map(({ fromUtc }) => fromUtc))[0] ?? '',
    toDay: days(ranges.map(({ endUtc }) => endUtc)).at(-1) ?? '',
  };
}

function boundText(bound: TimeBound): string {
  return bound.kind === 'local' ? bound.clock : bound.utc;
}

function shifted(clock: string, seconds: number): string {
  const ms = Date.parse(`${clock.replace(' ', 'T')}Z`) + seconds * 1000;
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}
