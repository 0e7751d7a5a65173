/** What the numbers of a profile are. `weekHours`: hours since Monday 00:00. */
type ProfileNumbers = 'hours' | 'weekdays' | 'days' | 'weekHours';

/** How results are grouped into buckets by local time. */
export interface AggregationDefinition {
  readonly label: string;
  /** `time`: chronological buckets; `profile`: recurring ones such as hours of the day. */
  readonly kind: 'time' | 'profile' | 'total';
  /** SQL over `local_time`: results with the same value share a bucket. `total` has none. */
  readonly bucket?: string;
  /** Format of the bucket in the response: `2026-01-31T13:00:00`, `2026-01-31`, or a number. */
  readonly shownAs?: 'time' | 'date' | 'number';
  /** Length of a bucket if `kind` is `time`. */
  readonly step?: { readonly hours: number } | { readonly months: number };
  /** For a profile: its first and last bucket, and the meaning of their numbers. */
  readonly range?: readonly [number, number];
  readonly numbers?: ProfileNumbers;
}

// local_time is a wall-clock time in a UTC-typed value, so buckets of 2, 4 and 6 hours align to local
// midnight, and the repeated hour of a 25-hour day is one bucket. Buckets have 32 bits, because ClickHouse
// computes the percentiles of groups with shorter keys on one core only.
export const aggregations = {
  hourly: hours('Hourly', 1),
  two_hourly: hours('Every two hours', 2),
  four_hourly: hours('Every four hours', 4),
  six_hourly: hours('Every six hours', 6),
  daily: dates('Daily', 'local_time', { hours: 24 }),
  weekly: dates('Weekly', 'toMonday(local_time)', { hours: 7 * 24 }),
  monthly: months('Monthly', 1),
  quarterly: months('Quarterly', 3),
  yearly: months('Yearly', 12),
  hour_of_day: profile('hour of the day', 'toHour(local_time)', 'hours', [0, 23]),
  day_of_week: profile('day of the week', 'toDayOfWeek(local_time)', 'weekdays', [1, 7]),
  day_of_month: profile('day of the month', 'toDayOfMonth(local_time)', 'days', [1, 31]),
  hour_of_week: profile(
    'hour of the week',
    '(toDayOfWeek(local_time) - 1) * 24 + toHour(local_time)',
    'weekHours',
    [0, 167],
  ),
  total: { label: 'Total', kind: 'total' },
} as const satisfies Record<string, AggregationDefinition>;

export type Aggregation = keyof typeof aggregations;

export type TimeAggregation = OfKind<'time'>;
export type ProfileAggregation = OfKind<'profile'>;

type OfKind<Kind extends AggregationDefinition['kind']> = {
  [Key in Aggregation]: (typeof aggregations)[Key]['kind'] extends Kind ? Key : never;
}[Aggregation];

export const aggregationKeys = Object.keys(aggregations) as readonly Aggregation[];

export function aggregationDefinition(key: Aggregation): AggregationDefinition {
  return aggregations[key];
}

function hours(label: string, count: number) {
  return {
    label,
    kind: 'time',
    bucket: `toStartOfInterval(local_time, INTERVAL ${count} HOUR)`,
    shownAs: 'time',
    step: { hours: count },
  } as const;
}

/** Periods of a number of months that divides 12, or is a multiple of it: they begin with a January. */
function months<Count extends number>(label: string, count: Count) {
  const bucket = `toStartOfInterval(local_time, INTERVAL ${count} MONTH)`;
  return dates(label, bucket, { months: count });
}

function dates<Step extends AggregationDefinition['step']>(
  label: string,
  bucket: string,
  step: Step,
) {
  return { label, kind: 'time', bucket: `toDate32(${bucket})`, shownAs: 'date', step } as const;
}

function profile(
  of: string,
  bucket: string,
  numbers: ProfileNumbers,
  range: readonly [number, number],
) {
  return {
    label: `By ${of}`,
    kind: 'profile',
    bucket: `toUInt32(${bucket})`,
    shownAs: 'number',
    numbers,
    range,
  } as const;
}
