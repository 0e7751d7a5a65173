import type { MetricQuery, TimeBound } from '../request/metric-query.ts';

/** Where clocks run furthest behind UTC, and furthest ahead: Kiritimati is +14:00. */
const furthestBehindH = 12;
const furthestAheadH = 14;

/**
 * The UTC range outside which no result can be within the asked one, for the primary key. An agent
 * at +14:00 sees midnight of 31 January 14 hours before UTC does.
 */
export function utcRange(time: MetricQuery['time']): {
  readonly fromUtc: string;
  /** Not included: the second after the last. */
  readonly endUtc: string;
} {
  return {
    fromUtc: shifted(boundText(time.from), time.from.kind === 'local' ? -furthestAheadH * 3600 : 0),
    endUtc: shifted(boundText(time.to), time.to.kind === 'local' ? furthestBehindH * 3600 + 1 : 1),
  };
}

function boundText(bound: TimeBound): string {
  return bound.kind === 'local' ? bound.clock : bound.utc;
}

function shifted(clock: string, seconds: number): string {
  const ms = Date.parse(`${clock.replace(' ', 'T')}Z`) + seconds * 1000;
  return new Date(ms).toISOString().slice(0, 19).replace('T', ' ');
}
