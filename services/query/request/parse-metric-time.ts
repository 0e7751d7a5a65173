import type { Problems } from '../../shared/errors/problems.ts';
import { calendarDay, dayMs, relativeInstantMs } from './date-period.ts';
import type { MetricQuery, TimeBound } from './metric-query.ts';
import { clockMs, clockOf, parseClock } from './parse-clock.ts';
import { isObject, type Json, warnOfUnknownFields } from './request-body.ts';

/**
 * `YYYY-MM-DD HH:MM[:SS]` in the agents' local time, a whole local day such as `2026-01-31` or
 * `last monday`, or an instant such as `-7 days`.
 */
export function parseMetricTime(
  time: unknown,
  now: Date,
  maxRangeDays: number,
  problems: Problems,
): MetricQuery['time'] | null {
  if (!isObject(time)) return problems.add('time', `Required: send ${example}.`);
  warnOfUnknownFields(time, ['from', 'to'], 'time', problems.warnings);
  const from = parseBound(time, 'from', now, problems);
  const to = parseBound(time, 'to', now, problems);
  if (from === null || to === null) return null;

  const lengthMs = boundMs(to) - boundMs(from);
  if (lengthMs < -slackMs(from, to))
    return problems.add('time[from]', 'Must not be after time[to].');
  if (lengthMs > maxRangeDays * dayMs) {
    return problems.add('time', `The range is too long; send at most ${maxRangeDays} days.`);
  }
  return { from, to };
}

const example = '{ "from": "2026-01-01 00:00:00", "to": "2026-01-31 23:59:59" }';

function parseBound(
  time: Json,
  end: 'from' | 'to',
  now: Date,
  problems: Problems,
): TimeBound | null {
  const value = time[end];
  const bound = typeof value === 'string' ? boundOf(value, end, now) : undefined;
  return (
    bound ??
    problems.add(
      `time[${end}]`,
      `${value === undefined ? 'Required: send' : 'Invalid time. Send'} YYYY-MM-DD HH:MM:SS, YYYY-MM-DD HH:MM or YYYY-MM-DD, such as "2026-01-31 13:00:00", or now, -7 days, +1 days, last monday.`,
    )
  );
}

function boundOf(text: string, end: 'from' | 'to', now: Date): TimeBound | undefined {
  const clock = parseClock(text) ?? parseClock(dayBound(calendarDay(text, now), end));
  if (clock !== undefined) return { kind: 'local', clock };
  const instantMs = relativeInstantMs(text, now);
  return instantMs === undefined ? undefined : { kind: 'instant', utc: clockOf(instantMs) };
}

function dayBound(day = '', end: 'from' | 'to'): string {
  return `${day} ${end === 'from' ? '00:00:00' : '23:59:59'}`;
}

function boundMs(bound: TimeBound): number {
  return clockMs(bound.kind === 'local' ? bound.clock : bound.utc);
}

// A local time and an instant in UTC that differ by up to 14 hours can be the same time somewhere.
function slackMs(from: TimeBound, to: TimeBound): number {
  return from.kind === to.kind ? 0 : 14 * 3_600_000;
}
