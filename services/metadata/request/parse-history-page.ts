import { validationError } from '../../shared/errors/app-error.ts';

/** One page of the history of an agent. */
export interface HistoryPage {
  readonly limit: number;
  /** Only periods that begin before this moment, the `from` of the last period of the previous page. */
  readonly after: string | undefined;
}

const maxPeriods = 1_000;

/** Parses `?limit=100&after=2026-11-01T00:00:00.000Z`. */
export function parseHistoryPage(query: Readonly<Record<string, unknown>>): HistoryPage {
  const { limit = String(maxPeriods), after } = query;
  const errors = {
    ...(isLimit(limit) ? {} : { limit: [`This value should be from 1 to ${maxPeriods}.`] }),
    ...(after === undefined || isMoment(after)
      ? {}
      : { after: ['This value should be a moment such as 2026-11-01T00:00:00.000Z.'] }),
  };
  if (Object.keys(errors).length > 0) throw validationError(errors);
  return { limit: Number(limit), after: after as string | undefined };
}

function isLimit(limit: unknown): boolean {
  if (typeof limit !== 'string' || !/^\d{1,4}$/.test(limit)) return false;
  return Number(limit) >= 1 && Number(limit) <= maxPeriods;
}

function isMoment(text: unknown): boolean {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) {
    return false;
  }
  const milliseconds = Date.parse(text);
  // Date.parse turns 31 February into a date of March.
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString() === text;
}
