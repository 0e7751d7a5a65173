import { clockText } from './local-time.ts';

export const aggregations = [
  'hourly',
  'two_hourly',
  'four_hourly',
  'six_hourly',
  'daily',
  'weekly',
  'monthly',
  'quarterly',
  'yearly',
  'hour_of_day',
  'day_of_week',
  'day_of_month',
  'hour_of_week',
  'total',
] as const;

export type Aggregation = (typeof aggregations)[number];

/** The bucket fields of a point. */
export interface Bucket {
  readonly dtime?: string;
  readonly aggregatedNumber?: number;
}

/** The bucket of a local time. */
export function bucketOf(aggregation: Aggregation, localMs: number): Bucket {
  const local = new Date(localMs);
  const year = local.getUTCFullYear();
  const month = local.getUTCMonth();
  const day = local.getUTCDate();
  const hour = local.getUTCHours();
  const dayOfWeek = local.getUTCDay() === 0 ? 7 : local.getUTCDay();
  const startingAtHour = (hours: number) => ({
    dtime: clockText(Date.UTC(year, month, day, hour - (hour % hours))),
  });
  const startingOn = (monthIndex: number, dayOfMonth: number) => ({
    dtime: clockText(Date.UTC(year, monthIndex, dayOfMonth)).slice(0, 10),
  });
  switch (aggregation) {
    case 'hourly':
      return startingAtHour(1);
    case 'two_hourly':
      return startingAtHour(2);
    case 'four_hourly':
      return startingAtHour(4);
    case 'six_hourly':
      return startingAtHour(6);
    case 'daily':
      return startingOn(month, day);
    case 'weekly':
      return startingOn(month, day - (dayOfWeek - 1));
    case 'monthly':
      return startingOn(month, 1);
    case 'quarterly':
      return startingOn(month - (month % 3), 1);
    case 'yearly':
      return startingOn(0, 1);
    case 'hour_of_day':
      return { aggregatedNumber: hour };
    case 'day_of_week':
      return { aggregatedNumber: dayOfWeek };
    case 'day_of_month':
      return { aggregatedNumber: day };
    case 'hour_of_week':
      return { aggregatedNumber: (dayOfWeek - 1) * 24 + hour };
    case 'total':
      return {};
  }
}
