import fc from 'fast-check';
import type {
  MetricRequest,
  RequestComparison,
  RequestRange,
} from '../reference/metric-request.ts';
import { calendarOf, hasCalendar } from '../reference/paired-buckets.ts';
import type { Panel } from '../reference/panel.ts';
import { windowArbitrary } from './report-values.ts';
import { filtersArbitrary, timeArbitrary } from './request-arbitrary.ts';

/** The request with a `compare`. With another time, its own range may become whole days. */
export function withCompare(panel: Panel, request: MetricRequest): fc.Arbitrary<MetricRequest> {
  const { splits = [] } = request;
  const rest = fc.constant({ ...request, compare: { to: 'rest' as const } });
  const compared = fc.oneof(
    { weight: 3, arbitrary: withOtherFields(panel, request) },
    ...(splits.length > 0 ? [{ weight: 1, arbitrary: rest }] : []),
  );
  const agents = fc.constantFrom({}, { agents: 'all' as const }, { agents: 'both' as const });
  return fc
    .tuple(compared, agents)
    .map(([one, which]) => ({ ...one, compare: { ...one.compare, ...which } }));
}

/** The service refuses `compare` with these fields. */
export function mayHaveCompare({ overBuckets, coverage, strata }: MetricRequest): boolean {
  return [overBuckets, coverage, strata].every((field) => field === undefined);
}

/** A request whose comparison has one or several of the fields of the other side. */
function withOtherFields(panel: Panel, request: MetricRequest): fc.Arbitrary<Compared> {
  const { metric, splits } = request;
  const filters = filtersArbitrary(panel, metric, splits);
  const parts: readonly fc.Arbitrary<Partial<Compared>>[] = [
    hasCalendar(request) ? otherDays(request) : otherTime(panel, metric),
    filters.map((own) => ({ compare: { filters: own } })),
    windowArbitrary.map((window) => ({ compare: { window } })),
  ];
  return fc
    .subarray([...parts], { minLength: 1 })
    .chain((chosen) => fc.tuple(...chosen))
    .map((chosen) =>
      chosen.reduce<Compared>(
        (all, one) => ({ ...all, ...one, compare: { ...all.compare, ...one.compare } }),
        { ...request, compare: {} },
      ),
    );
}

interface Compared extends MetricRequest {
  readonly compare: RequestComparison;
}

/** Aggregations without a calendar pair by themselves. The response for a relative time changes with the clock. */
function otherTime(panel: Panel, metric: string): fc.Arbitrary<Partial<Compared>> {
  return timeArbitrary(panel, metric)
    .filter(isFixed)
    .map((time) => ({ compare: { time } }));
}

/** The ranges of the request as whole days, and others with as many buckets: earlier, later, mostly of the same length. */
function otherDays(request: MetricRequest): fc.Arbitrary<Partial<Compared>> {
  const { times = [request.time] } = request;
  const days = times.map(wholeDays);
  const countOf = (ranges: readonly RequestRange[]) =>
    calendarOf({ ...request, times: ranges }, new Date()).length;
  const count = countOf(days);
  const longer = fc.oneof(
    { weight: 3, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: -4, max: 4 }) },
  );
  const written = fc.constantFrom(
    (range: RequestRange) => range,
    ({ from, to }: RequestRange) => ({ from: `${from} 00:00`, to: `${to} 23:59` }),
    ({ from, to }: RequestRange) => ({ from: `${from} 00:00:00`, to: `${to} 23:59:59` }),
  );
  return fc
    .tuple(fc.integer({ min: -21, max: 21 }), longer)
    .map(([later, more]) =>
      days.map(({ from, to }) => ({ from: shifted(from, later), to: shifted(to, later + more) })),
    )
    .filter((ranges) => ranges.every(({ from, to }) => from <= to) && countOf(ranges) === count)
    .chain((ranges) =>
      fc.tuple(written, written, fc.boolean()).map(([ours, theirs, isList]) => {
        const other = ranges.map(theirs);
        return {
          ...(request.times === undefined
            ? { time: ours(days[0]!) }
            : { times: days.map((range) => ours(range)) }),
          compare: isList || other.length > 1 ? { times: other } : { time: other[0]! },
        };
      }),
    );
}

/** Those of the panel instead of a relative time. */
function wholeDays(range: RequestRange): RequestRange {
  if (!isFixed(range)) return { from: '2026-09-27', to: '2026-11-06' };
  return { from: range.from.slice(0, 10), to: range.to.slice(0, 10) };
}

function isFixed({ from, to }: RequestRange): boolean {
  return /^\d/.test(from) && /^\d/.test(to);
}

function shifted(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);
}
