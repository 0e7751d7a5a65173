import type { Aggregation } from '../request/metric-query.ts';

/** How results are put together by their local time. */
export interface TimeBucket {
  /** SQL over `local_time`; the rows of one bucket share its value. */
  readonly key: string;
  /** The column of the answer it becomes. */
  readonly column: 'dtime' | 'aggregatedNumber';
  /** SQL over `bucket`. */
  readonly output: string;
}

/** `total` has no bucket. */
export function timeBucket(aggregation: Aggregation): TimeBucket | undefined {
  return buckets[aggregation];
}

// local_time is a clock time kept in a UTC-typed value, so 2, 4 and 6 hours align to local midnight,
// and the hour that the 25-hour day has twice is one bucket.
const buckets: Readonly<Record<Aggregation, TimeBucket | undefined>> = {
  hourly: byHours(1),
  two_hourly: byHours(2),
  four_hourly: byHours(4),
  six_hourly: byHours(6),
  daily: byDate('toDate(local_time)'),
  weekly: byDate('toMonday(local_time)'),
  monthly: byDate('toStartOfMonth(local_time)'),
  quarterly: byDate('toStartOfQuarter(local_time)'),
  hour_of_day: byElement('toHour(local_time)'),
  day_of_week: byElement('toDayOfWeek(local_time)'),
  day_of_month: byElement('toDayOfMonth(local_time)'),
  total: undefined,
};

function byHours(hours: number): TimeBucket {
  return {
    key: `toStartOfInterval(local_time, INTERVAL ${hours} HOUR)`,
    column: 'dtime',
    output: clockText('bucket'),
  };
}

function byDate(key: string): TimeBucket {
  return { key, column: 'dtime', output: 'toString(bucket)' };
}

function byElement(key: string): TimeBucket {
  return { key, column: 'aggregatedNumber', output: 'bucket' };
}

/** `2026-01-31T13:00:00` */
export function clockText(dateTime: string): string {
  return `formatDateTime(${dateTime}, '%Y-%m-%dT%H:%i:%S')`;
}
