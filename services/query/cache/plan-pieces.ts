import { aggregationDefinition } from '../../catalog/aggregations.ts';
import { boundText, shifted } from '../compiler/conditions.ts';
import { dependenciesOf } from '../compiler/stages.ts';
import type { AggregateMetricQuery, MetricQuery } from '../request/metric-query.ts';
import type { BucketRange, TimeBound, TimeRange } from '../request/selection.ts';
import { bucketUnit, type BucketUnit, datesBetween } from './bucket-unit.ts';

/** Part of an answer that is stored, and used again, on its own. */
export interface Piece {
  /** The results that it is computed from. */
  readonly times: readonly TimeRange[];
  /** The buckets that it has: those that begin on or after `from` and before `before`. Absent: all others. */
  readonly buckets?: BucketRange;
}

/** More pieces would cost more than they save. */
const maxPieces = 400;

/**
 * Cuts an answer into pieces that do not depend on each other: whole months, single days or buckets of months that the
 * range has only in part, and the rest at both ends of the range. One piece if buckets depend on others.
 */
export function planPieces(query: AggregateMetricQuery, now: Date): readonly Piece[] {
  const whole: Piece = { times: query.times };
  const [time] = query.times;
  const unit = bucketUnit(aggregationDefinition(query.aggregation));
  if (unit === undefined || time === undefined || !hasIndependentBuckets(query)) return [whole];
  const from = unit.firstFrom(earliestInEveryZone(time.from));
  const before = unit.lastUpTo(endInEveryZone(time.to));
  if (from >= before) return [whole];
  const months = wholeMonths(unit, { from, before }, isoDate(now));
  if (months.length > maxPieces) return [whole];
  const ends = endsOf(time, { from, before });
  return [
    ...months.map((buckets) => ({ times: [localRange(buckets)], buckets })),
    ...(ends.length === 0 ? [] : [{ times: ends }]),
  ];
}

/** Whether the values of a bucket do not depend on which other buckets are requested. */
function hasIndependentBuckets(query: AggregateMetricQuery): boolean {
  return query.times.length === 1 && !dependenciesOf(query).has('other buckets');
}

/** Raw data is not stored: it is large, and reading it again costs as much. */
export function isStorable(query: MetricQuery): query is AggregateMetricQuery {
  if (query.chartType === 'raw') return false;
  const dependencies = dependenciesOf(query);
  return !dependencies.has('the clock') && !dependencies.has('data beyond the range');
}

// A local time of at least this is within the range in every zone, the most ahead of which is +14:00.
function earliestInEveryZone(bound: TimeBound): string {
  return bound.kind === 'local' ? bound.clock : shifted(bound.utc, 14 * 3600);
}

// A local time before this is within the range in every zone, the most behind of which is -12:00.
function endInEveryZone(bound: TimeBound): string {
  return bound.kind === 'local' ? shifted(bound.clock, 1) : shifted(bound.utc, 1 - 12 * 3600);
}

/** Months of buckets, and single units in months that are not complete or not over. */
function wholeMonths(unit: BucketUnit, range: BucketRange, today: string): readonly BucketRange[] {
  const starts = datesBetween(unit, range.from, range.before);
  const monthOf = (date: string) => date.slice(0, 7);
  const complete = (month: string) => {
    const [first, end] = unit.ofMonth(month);
    return first >= range.from && end <= range.before && end <= today;
  };
  const pieces: BucketRange[] = [];
  for (const from of starts) {
    const last = pieces.at(-1);
    const before = unit.next(from);
    const month = monthOf(from);
    if (last !== undefined && monthOf(last.from) === month && complete(month)) {
      pieces[pieces.length - 1] = { from: last.from, before };
    } else pieces.push({ from, before });
  }
  return pieces;
}

/** What a range has before and after its whole buckets. */
function endsOf({ from, to }: TimeRange, whole: BucketRange): readonly TimeRange[] {
  const start = `${whole.from} 00:00:00`;
  const end = `${whole.before} 00:00:00`;
  const hasStart = from.kind === 'instant' || from.clock < start;
  const hasEnd = to.kind === 'instant' || to.clock >= end;
  return [
    ...(hasStart ? [{ from, to: { kind: 'local', clock: shifted(start, -1) } as const }] : []),
    ...(hasEnd ? [{ from: { kind: 'local', clock: end } as const, to }] : []),
  ];
}

function localRange({ from, before }: BucketRange): TimeRange {
  return {
    from: { kind: 'local', clock: `${from} 00:00:00` },
    to: { kind: 'local', clock: shifted(`${before} 00:00:00`, -1) },
  };
}

/** Joins ranges that follow each other, so that a query has few conditions. */
export function joinedTimes(pieces: readonly Piece[]): readonly TimeRange[] {
  const joined: TimeRange[] = [];
  const times = pieces.flatMap((piece) => piece.times);
  for (const time of times.toSorted((a, b) => (boundText(a.from) < boundText(b.from) ? -1 : 1))) {
    const last = joined.at(-1);
    if (last !== undefined && follows(last.to, time.from)) {
      joined[joined.length - 1] = { from: last.from, to: time.to };
    } else joined.push(time);
  }
  return joined;
}

function follows(end: TimeBound, start: TimeBound): boolean {
  return end.kind === 'local' && start.kind === 'local' && shifted(end.clock, 1) === start.clock;
}

function isoDate(date: Date): string {
  return date.toISOString().slice(0, 10);
}
