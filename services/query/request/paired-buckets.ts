import type { AggregationDefinition } from '../../catalog/aggregations.ts';
import { dayMs } from './date-period.ts';
import { clockMs, clockOf } from './parse-clock.ts';
import type { TimeBound, TimeRange } from './selection.ts';

/** Buckets that follow each other on both sides of a comparison. */
export interface BucketShift {
  /** The first one there and here, as `2026-01-31 13:00:00`. */
  readonly there: string;
  readonly here: string;
  /** From there to here. */
  readonly by: number;
  readonly unit: 'seconds' | 'days' | 'months';
}

type BucketStep = NonNullable<AggregationDefinition['step']>;

/** Pairs the buckets of both sides in their order, or returns the problem. */
export function pairBuckets(
  here: readonly TimeRange[],
  there: readonly TimeRange[],
  step: BucketStep,
): { readonly shifts: readonly BucketShift[] } | { readonly problem: string } {
  if (![...here, ...there].every(isOfWholeDays)) {
    return {
      problem:
        'With buckets in a sequence of time, both times must be whole local days, such as 2025-10-01 to 2025-10-31, or 00:00 to 23:59.',
    };
  }
  const scale = scaleOf(step);
  const [own, other] = [bucketsOf(here, scale), bucketsOf(there, scale)];
  if (own.length !== other.length) {
    return {
      problem: `Buckets pair in their order: the request has ${own.length}, and the other time has ${other.length}. Send times with as many buckets.`,
    };
  }
  const shifts = other.flatMap((place, i) => {
    const by = (own[i] ?? place) - place;
    const before = i === 0 ? undefined : (own[i - 1] ?? 0) - (other[i - 1] ?? 0);
    return by === before
      ? []
      : [
          {
            there: scale.clockOf(place),
            here: scale.clockOf(place + by),
            by: by * scale.length,
            unit: scale.unit,
          },
        ];
  });
  return { shifts };
}

function isOfWholeDays({ from, to }: TimeRange): boolean {
  return (
    from.kind === 'local' &&
    to.kind === 'local' &&
    from.clock.endsWith(' 00:00:00') &&
    to.clock.slice(11) >= '23:59'
  );
}

/** Buckets as whole numbers in the order of time. */
interface BucketScale {
  readonly placeOf: (clock: string) => number;
  readonly clockOf: (place: number) => string;
  /** Of a bucket, in the unit. */
  readonly length: number;
  readonly unit: BucketShift['unit'];
}

function scaleOf(step: BucketStep): BucketScale {
  if ('months' in step) {
    const { months } = step;
    return {
      placeOf: (clock) =>
        Math.floor(
          (12 * (Number(clock.slice(0, 4)) - 1900) + Number(clock.slice(5, 7)) - 1) / months,
        ),
      clockOf: (place) => clockOf(Date.UTC(1900, place * months)),
      length: months,
      unit: 'months',
    };
  }
  const stepMs = step.hours * 3_600_000;
  // Weeks begin on Mondays, and 1970 on a Thursday.
  const firstMs = step.hours === 7 * 24 ? -3 * dayMs : 0;
  const isOfDays = step.hours % 24 === 0;
  return {
    placeOf: (clock) => Math.floor((clockMs(clock) - firstMs) / stepMs),
    clockOf: (place) => clockOf(firstMs + place * stepMs),
    length: isOfDays ? step.hours / 24 : step.hours * 3_600,
    unit: isOfDays ? 'days' : 'seconds',
  };
}

/** In ascending order. */
function bucketsOf(times: readonly TimeRange[], { placeOf }: BucketScale): readonly number[] {
  const places = new Set<number>();
  const place = (bound: TimeBound) => placeOf(bound.kind === 'local' ? bound.clock : bound.utc);
  for (const { from, to } of times) {
    for (let at = place(from); at <= place(to); at++) places.add(at);
  }
  return [...places].sort((a, b) => a - b);
}
