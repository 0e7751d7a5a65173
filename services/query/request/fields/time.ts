import { Problems } from '../../../shared/errors/problems.ts';
import { calendarDay, dayMs, relativeInstantMs } from '../date-period.ts';
import type { TimeBound, TimeRange } from '../selection.ts';
import { clockMs, clockOf, parseClock } from '../parse-clock.ts';
import type { Parsing } from '../parse-context.ts';
import { isObject, type Json, warnOfUnknownFields } from '../request-body.ts';
import type { RequestFields } from './request-field.ts';
import { object } from './shapes.ts';

/** The FCC's period of 2014 has two. More than the months of a year are not needed. */
const maxRanges = 12;
const example = '{ "from": "2026-01-01 00:00:00", "to": "2026-01-31 23:59:59" }';

export const rangeFields = {
  from: { schema: { type: 'string', minLength: 3 }, isRequired: true, example: '-7 days' },
  to: { schema: { type: 'string', minLength: 3 }, isRequired: true, example: 'now' },
} satisfies RequestFields;

const range = {
  component: 'LocalRange',
  ...object(rangeFields, `Required: send ${example}.`, parseRange),
  isNullable: false,
  about:
    'Both ends are included. `YYYY-MM-DD HH:MM:SS` and `YYYY-MM-DD HH:MM` are in the local time of each agent, without rounding. `YYYY-MM-DD` and `last|next|this <day name>` are days on each agent’s own calendar: 00:00:00 as `from`, 23:59:59 as `to`. `now`, `+x days` and `-x days` are instants, the same for all agents.',
} as const;

export const timeFields = {
  time: {
    ...range,
    flags: {
      from: {
        value: 'TIME',
        sets: 'from',
        about:
          'local time of the households, or -7 days, now, last monday; default: the last seven days that are over, in UTC',
      },
      to: { value: 'TIME', sets: 'to', about: 'the end, which is included' },
    },
  },
  times: {
    schema: { type: 'array', minItems: 1, maxItems: maxRanges },
    items: range,
    about: 'Several ranges instead of `time`. A result of two ranges counts once.',
  },
} satisfies RequestFields;

/** What the bounds of a range depend on. */
type TimeScope = Pick<Parsing, 'now' | 'limits' | 'problems'>;

/** `time`, or several ranges in `times`. */
export function parseMetricTimes({ time, times }: Json, scope: TimeScope): readonly TimeRange[] {
  const { problems, limits } = scope;
  if (times === undefined) {
    const range = timeFields.time.parse(time, 'time', scope);
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
    warnOfUnknownFields(range, Object.keys(rangeFields), path, problems.warnings);
    return parseRange(range, path, scope);
  });
  const valid = ranges.filter((range) => range !== null);
  const days = valid.reduce((sum, range) => sum + rangeMs(range) / dayMs, 0);
  if (days > limits.maxRangeDays) {
    const most = `${limits.maxRangeDays} days in total`;
    problems.add('times', `The ranges are too long; send at most ${most}.`);
  }
  return valid;
}

/** The parameters `from` and `to` of a URL: both in the same forms as `time` of a body, or none. */
export function parseTimeParameters(
  parameters: Json,
  context: Omit<TimeScope, 'problems'>,
): TimeRange | undefined {
  if (parameters.from === undefined && parameters.to === undefined) return undefined;
  const problems = new Problems();
  const time = parseRange(parameters, '', { ...context, problems });
  problems.throwIfAny();
  return time ?? undefined;
}

/**
 * From and to: `YYYY-MM-DD HH:MM[:SS]` in the agents' local time, a whole local day such as `2026-01-31` or
 * `last monday`, or an instant such as `-7 days`. The path is empty for parameters of a URL.
 */
function parseRange(time: Json, path: string, scope: TimeScope): TimeRange | null {
  const { problems, limits } = scope;
  const pathOf = (end: 'from' | 'to') => (path === '' ? end : `${path}[${end}]`);
  const from = parseBound(time.from, 'from', pathOf('from'), scope);
  const to = parseBound(time.to, 'to', pathOf('to'), scope);
  if (from === null || to === null) return null;
  const lengthMs = rangeMs({ from, to });
  if (lengthMs < -slackMs(from, to)) {
    return problems.add(pathOf('from'), `Must not be after ${pathOf('to')}.`);
  }
  if (lengthMs > limits.maxRangeDays * dayMs) {
    const most = `${limits.maxRangeDays} days`;
    return problems.add(path || 'from', `The range is too long; send at most ${most}.`);
  }
  return { from, to };
}

function parseBound(
  value: unknown,
  end: 'from' | 'to',
  path: string,
  { now, problems }: TimeScope,
): TimeBound | null {
  const bound = typeof value === 'string' ? boundOf(value, end, now) : undefined;
  if (bound !== undefined) return bound;
  const wrong = value === undefined ? 'Required: send' : 'Invalid time. Send';
  return problems.add(path, `${wrong} ${allowedTimes}`);
}

const allowedTimes =
  'YYYY-MM-DD HH:MM:SS, YYYY-MM-DD HH:MM or YYYY-MM-DD, such as "2026-01-31 13:00:00", or now, -7 days, +1 days, last monday.';

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
