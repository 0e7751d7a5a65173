import type { AggregationDefinition } from '../../catalog/aggregations.ts';

/** A calendar unit that begins at a local midnight and consists of whole buckets. Dates are `2026-01-31`. */
export interface BucketUnit {
  /** The first start of a unit at or after a local time. */
  readonly firstFrom: (clock: string) => string;
  /** The last start of a unit at or before a local time. */
  readonly lastUpTo: (clock: string) => string;
  /** The start of the next unit. */
  readonly next: (date: string) => string;
  /** The first start within a month, `2026-01`, and the first one after it. */
  readonly ofMonth: (month: string) => readonly [string, string];
}

/** The unit of an aggregation by time; undefined for profiles and totals. */
export function bucketUnit({ step }: AggregationDefinition): BucketUnit | undefined {
  if (step === undefined) return undefined;
  if ('months' in step) return unitOf(startOfMonths(step.months), step);
  return step.hours <= 24 ? unitOf(startOfDay, { days: 1 }) : unitOf(startOfWeek, { days: 7 });
}

type Step = { readonly days: number } | { readonly months: number };

function unitOf(startOf: (date: Date) => Date, step: Step): BucketUnit {
  const next = (date: string) => text(later(parsed(date), step));
  const lastUpTo = (clock: string) => text(startOf(parsed(clock.slice(0, 10))));
  const firstFrom = (clock: string) => {
    const start = lastUpTo(clock);
    return `${start} 00:00:00` >= clock ? start : next(start);
  };
  return {
    firstFrom,
    lastUpTo,
    next,
    ofMonth: (month) => {
      const first = parsed(`${month}-01`);
      return [
        firstFrom(`${text(first)} 00:00:00`),
        firstFrom(`${text(later(first, { months: 1 }))} 00:00:00`),
      ];
    },
  };
}

/** The starts of the units in a range of dates, which begins with one. */
export function datesBetween(unit: BucketUnit, from: string, before: string): readonly string[] {
  const starts: string[] = [];
  for (let date = from; date < before; date = unit.next(date)) starts.push(date);
  return starts;
}

function later(date: Date, step: Step): Date {
  const [year, month, day] = [date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate()];
  return 'months' in step
    ? new Date(Date.UTC(year, month + step.months, day))
    : new Date(Date.UTC(year, month, day + step.days));
}

function startOfDay(date: Date): Date {
  return date;
}

/** Weeks begin on Monday. */
function startOfWeek(date: Date): Date {
  return later(date, { days: -((date.getUTCDay() + 6) % 7) });
}

/** As ClickHouse does: longer periods than a year are counted from 1900. */
function startOfMonths(months: number) {
  return (date: Date): Date => {
    const sinceJanuary1900 = (date.getUTCFullYear() - 1900) * 12 + date.getUTCMonth();
    return new Date(Date.UTC(1900, sinceJanuary1900 - (sinceJanuary1900 % months)));
  };
}

function parsed(date: string): Date {
  return new Date(`${date}T00:00:00Z`);
}

function text(date: Date): string {
  return date.toISOString().slice(0, 10);
}
