import { aggregationDefinition } from '../../catalog/aggregations.ts';
import { utcOffsetMs } from '../../shared/timezones.ts';
import { bucketUnit } from '../cache/bucket-unit.ts';
import type { MetricQuery } from '../request/metric-query.ts';
import type { BucketRange, TimeBound, TimeRange } from '../request/selection.ts';
import { clockMs, clockOf } from '../request/parse-clock.ts';

/**
 * The buckets that have ended, and that the range contains completely, in all of the time zones. Consecutive ranges are
 * merged. Undefined if the points are not a sequence of time.
 */
export function wholeBuckets(
  query: MetricQuery,
  now: Date,
  zones: readonly string[],
): readonly BucketRange[] | undefined {
  if (query.chartType === 'raw') return undefined;
  const definition = aggregationDefinition(query.aggregation);
  const unit = bucketUnit(definition);
  if (unit === undefined) return undefined;
  const { step, shownAs } = definition;
  const hours =
    shownAs === 'time' && step !== undefined && 'hours' in step ? step.hours : undefined;
  const { firstFrom, lastUpTo } = hours === undefined ? unit : hourUnit(hours);
  const over = { kind: 'instant', utc: clockOf(now.getTime()) } as const;
  return joined(query.times, zones).map(({ from, end }) => ({
    from: firstFrom(from),
    before: lastUpTo(earlier(end, earliestClock(over, zones))),
  }));
}

/** Whether the buckets depend on the time zones of agents: not if the range is local and has ended everywhere. */
export function needsZones({ times }: Pick<MetricQuery, 'times'>, now: Date): boolean {
  const over = clockOf(now.getTime() - maxBehindMs);
  return times.some(
    ({ from, to }) => from.kind === 'instant' || to.kind === 'instant' || to.clock >= over,
  );
}

/** Baker Island is -12:00, Kiritimati is +14:00. A bucket that is whole in both is whole everywhere. */
export const extremeZones: readonly string[] = ['Etc/GMT+12', 'Etc/GMT-14'];
const maxBehindMs = 12 * 3_600_000;

interface LocalRange {
  /** Local times that are in the range in every zone: `end` is the first one after it. */
  readonly from: string;
  readonly end: string;
}

function joined(times: readonly TimeRange[], zones: readonly string[]): readonly LocalRange[] {
  const ranges = times
    .map(({ from, to }) => ({
      from: latestClock(from, zones),
      end: clockOf(clockMs(earliestClock(to, zones)) + 1000),
    }))
    .sort((a, b) => (a.from < b.from ? -1 : 1));
  const all: LocalRange[] = [];
  for (const range of ranges) {
    const last = all.at(-1);
    if (last === undefined || range.from > last.end) all.push(range);
    else if (range.end > last.end) all[all.length - 1] = { from: last.from, end: range.end };
  }
  return all;
}

function latestClock(bound: TimeBound, zones: readonly string[]): string {
  return clocksOf(bound, zones).at(-1) ?? '';
}

function earliestClock(bound: TimeBound, zones: readonly string[]): string {
  return clocksOf(bound, zones)[0] ?? '';
}

/** The local times at an instant, in order. */
function clocksOf(bound: TimeBound, zones: readonly string[]): readonly string[] {
  if (bound.kind === 'local') return [bound.clock];
  const ms = clockMs(bound.utc);
  const offsets = zones.map((zone) => utcOffsetMs(zone, ms));
  return offsets.map((offset) => clockOf(ms + offset)).sort();
}

function earlier(a: string, b: string): string {
  return a < b ? a : b;
}

/** Buckets of hours, the first of which begins at a local midnight. */
function hourUnit(hours: number) {
  const stepMs = hours * 3_600_000;
  const text = (ms: number) => clockOf(ms).replace(' ', 'T');
  return {
    firstFrom: (clock: string) => text(Math.ceil(clockMs(clock) / stepMs) * stepMs),
    lastUpTo: (clock: string) => text(Math.floor(clockMs(clock) / stepMs) * stepMs),
  };
}
