import { Problems } from '../../shared/errors/problems.ts';
import { calendarDay, dayMs, relativeInstantMs } from './date-period.ts';
import type { TimeBound, TimeRange } from './metric-query.ts';
import { clockMs, clockOf, parseClock } from './parse-clock.ts';
import { isObject, type Json, warnOfUnknownFields } from './request-body.ts';

/** The FCC's period of 2014 has two. More than the months of a year are not needed. */
const maxRanges = 12;

/** `time`, or several ranges in `times`. */
export function parseMetricTimes(
  request: Json,
  now: Date,
  maxRangeDays: number,
  problems: Problems,
): readonly TimeRange[] {
  const { time, times } = request;
  if (times === undefined || times === null) {
    const range = parseMetricTime(time, now, maxRangeDays, problems);
    return range === null ? [] : [range];
  }
  if (time !== undefined) problems.add('times', 'Send time or times, not both.');
  if (!Array.isArray(times) || times.length === 0 || times.length > maxRanges) {
    problems.add('times', `Send a list of 1 to ${maxRanges} ranges, such as [${example}].`);
    return [];
  }
  const ranges = times.map((range: unknown, i) => {
    const path = `times[${i}]`;
    if (!isObject(range)) return problems.add(path, `Send an object, such as ${example}.`);
    warnOfUnknownFields(range, ['from', 'to'], path, problems.warnings);
    const paths = { from: `${path}[from]`, to: `${path}[to]`, range: path };
    return parseRange(range, paths, now, maxRangeDays, problems);
  });
  const valid = ranges.filter((range) => range !== null);
  const days = valid.reduce((sum, range) => sum + rangeMs(range) / dayMs, 0);
  if (days > maxRangeDays) {
    problems.add('times', `The ranges are too long; send at most ${maxRangeDays} days in total.`);
  }
  return valid;
}

/**
 * `YYYY-MM-DD HH:MM[:SS]` in the agents' local time, a whole local day such as `2026-01-31` or
 * `last monday`, or an instant such as `-7 days`.
 */
function parseMetricTime(
  time: unknown,
  now: Date,
  maxRangeDays: number,
  problems: Problems,
): TimeRange | null {
  if (!isObject(time)) return problems.add('time', `Required: send ${example}.`);
  warnOfUnknownFields(time, ['from', 'to'], 'time', problems.warnings);
  return parseRange(time, inBody, now, maxRangeDays, problems);
}

/** The parameters `from` and `to` of a URL: both in the same forms as `time` of a body, or none. */
export function parseTimeParameters(
  parameters: Json,
  now: Date,
  maxRangeDays: number,
): TimeRange | undefined {
  if (parameters.from === undefined && parameters.to === undefined) return undefined;
  const problems = new Problems();
  const time = parseRange(parameters, inUrl, now, maxRangeDays, problems);
  problems.throwIfAny();
  return time ?? undefined;
}

/** The names of the two bounds and of the range in messages. */
interface RangePaths {
  readonly from: string;
  readonly to: string;
  readonly range: string;
}

const inBody: RangePaths = { from: 'time[from]', to: 'time[to]', range: 'time' };
const inUrl: RangePaths = { from: 'from', to: 'to', range: 'from' };

function parseRange(
  time: Json,
  paths: RangePaths,
  now: Date,
  maxRangeDays: number,
  problems: Problems,
): TimeRange | null {
  const from = parseBound(time, 'from', paths, now, problems);
  const to = parseBound(time, 'to', paths, now, problems);
  if (from === null || to === null) return null;

  const lengthMs = rangeMs({ from, to });
  if (lengthMs < -slackMs(from, to))
    return problems.add(paths.from, `Must not be after ${paths.to}.`);
  if (lengthMs > maxRangeDays * dayMs) {
    return problems.add(paths.range, `The range is too long; send at most ${maxRangeDays} days.`);
  }
  return { from, to };
}

const example = '{ "from": "2026-01-01 00:00:00", "to": "2026-01-31 23:59:59" }';

function parseBound(
  time: Json,
  end: 'from' | 'to',
  paths: RangePaths,
  now: Date,
  problems: Problems,
): TimeBound | null {
  const value = time[end];
  const bound = typeof value === 'string' ? boundOf(value, end, now) : undefined;
  return (
    bound ??
    problems.add(
      paths[end],
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

function rangeMs({ from, to }: TimeRange): number {
  return boundMs(to) - boundMs(from);
}

function boundMs(bound: TimeBound): number {
  return clockMs(bound.kind === 'local' ? bound.clock : bound.utc);
}

// A local time and an instant in UTC that differ by up to 14 hours can be the same time somewhere.
function slackMs(from: TimeBound, to: TimeBound): number {
  return from.kind === to.kind ? 0 : 14 * 3_600_000;
}
