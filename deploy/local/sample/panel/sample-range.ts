/** The period of the results of the sample panel. */
export interface SampleRange {
  readonly startsAt: Date;
  /** Not included. */
  readonly endsAt: Date;
}

export const sampleDays = 60;

export function sampleRange(endsAt: Date): SampleRange {
  // Whole seconds, like the validity periods of metadata.
  const endsAtMs = Math.floor(endsAt.getTime() / 1000) * 1000;
  return { startsAt: new Date(endsAtMs - sampleDays * dayMs), endsAt: new Date(endsAtMs) };
}

/** The time after a number of days in the range. */
export function daysIn({ startsAt }: SampleRange, days: number): Date {
  return new Date(startsAt.getTime() + Math.round(days * 86_400) * 1000);
}

const dayMs = 86_400_000;
