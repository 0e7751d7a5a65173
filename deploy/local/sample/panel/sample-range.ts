/** The stretch of time that the results of the sample panel cover. */
export interface SampleRange {
  readonly startsAt: Date;
  /** Not included. */
  readonly endsAt: Date;
}

export const sampleDays = 60;

export function sampleRange(endsAt: Date): SampleRange {
  // Whole seconds, as stretches of metadata are.
  const endsAtMs = Math.floor(endsAt.getTime() / 1000) * 1000;
  return { startsAt: new Date(endsAtMs - sampleDays * dayMs), endsAt: new Date(endsAtMs) };
}

/** The moment that many days into the range. */
export function daysIn({ startsAt }: SampleRange, days: number): Date {
  return new Date(startsAt.getTime() + Math.round(days * 86_400) * 1000);
}

const dayMs = 86_400_000;
