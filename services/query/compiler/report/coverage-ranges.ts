import type { TimeBound, TimeRange } from '../../request/metric-query.ts';
import { utcRange } from '../utc-range.ts';

/** Seconds since 1970, ends exclusive. A local clock is read as UTC. */
export interface CoverageRange {
  /** The start of the first slot that can be in the range, in any time zone. */
  readonly firstSlot: number;
  readonly from: number;
  readonly end: number;
  readonly localFrom: number;
  readonly localEnd: number;
}

/**
 * Local times are the same to the second in a slot, up to a constant: all UTC offsets since 1972 are multiples of
 * 15 minutes, and so are the times at which they change.
 */
export const slotSeconds = 900;

/** The ranges of a request up to a moment, each second of local time once. */
export function coverageRanges(
  times: readonly TimeRange[],
  untilUtc: string,
): readonly CoverageRange[] {
  return withoutOverlaps(times).map((time) => {
    const { fromUtc, endUtc } = utcRange(time);
    const from = seconds(fromUtc);
    return {
      firstSlot: from - (from % slotSeconds),
      from,
      end: Math.max(from, Math.min(seconds(endUtc), seconds(untilUtc))),
      localFrom: time.from.kind === 'local' ? seconds(time.from.clock) : unbounded.from,
      // A range includes its last second.
      localEnd: time.to.kind === 'local' ? seconds(time.to.clock) + 1 : unbounded.end,
    };
  });
}

/** Before and after all times that can be stored. */
const unbounded = { from: -86_400, end: 2 ** 33 };

// Only local times can be compared with each other. Several ranges have no others: parsing refuses them.
function withoutOverlaps(times: readonly TimeRange[]): readonly TimeRange[] {
  if (times.length === 1) return times;
  const sorted = times.toSorted((a, b) => textOf(a.from).localeCompare(textOf(b.from)));
  return sorted.reduce<readonly TimeRange[]>((merged, time) => {
    const last = merged.at(-1);
    if (last === undefined || textOf(time.from) > textOf(last.to)) return [...merged, time];
    const to = textOf(time.to) > textOf(last.to) ? time.to : last.to;
    return [...merged.slice(0, -1), { from: last.from, to }];
  }, []);
}

function textOf(bound: TimeBound): string {
  return bound.kind === 'local' ? bound.clock : bound.utc;
}

function seconds(clock: string): number {
  return Date.parse(`${clock.replace(' ', 'T')}Z`) / 1000;
}
