import { type Bucket, bucketOf } from './bucket.ts';
import type { MetricRequest } from './metric-request.ts';
import { rangeBoundsMs } from './time-range.ts';

/** The buckets of one side of a comparison by those of the other. */
interface PairedBuckets {
  readonly ofHere: (there: Bucket) => Bucket;
  readonly ofThere: (here: Bucket) => Bucket;
}

const hourMs = 3_600_000;

/** Of another time, the calendars pair in order. All others pair by themselves. */
export function pairedBuckets(here: MetricRequest, there: MetricRequest, now: Date): PairedBuckets {
  const same = (bucket: Bucket) => bucket;
  if (!hasOtherTime(here) || !hasCalendar(here)) return { ofHere: same, ofThere: same };
  const [ours, theirs] = [calendarOf(here, now), calendarOf(there, now)];
  if (ours.length !== theirs.length) {
    throw new Error(`${ours.length} buckets cannot be compared with ${theirs.length}`);
  }
  return {
    ofHere: ({ dtime }) => ({ dtime: ours[theirs.indexOf(dtime!)]! }),
    ofThere: ({ dtime }) => ({ dtime: theirs[ours.indexOf(dtime!)]! }),
  };
}

export function hasOtherTime({ compare }: MetricRequest): boolean {
  return compare?.time !== undefined || compare?.times !== undefined;
}

export function hasCalendar({ aggregation }: MetricRequest): boolean {
  return bucketOf(aggregation!, 0).dtime !== undefined;
}

/** Every bucket of the ranges, which are whole local days, in the order of time. */
export function calendarOf(request: MetricRequest, now: Date): readonly string[] {
  const dtimes = (request.times ?? [request.time]).flatMap((range) => {
    const [fromMs, toMs] = rangeBoundsMs(range, now);
    const hours = Math.ceil((toMs! - fromMs!) / hourMs);
    return Array.from(
      { length: hours },
      (_, hour) => bucketOf(request.aggregation!, fromMs! + hour * hourMs).dtime!,
    );
  });
  return [...new Set(dtimes)].sort();
}
