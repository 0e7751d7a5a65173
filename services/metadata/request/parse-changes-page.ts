import { validationError } from '../../shared/errors/app-error.ts';

/** One page of the changes of an agent. */
export interface ChangesPage {
  readonly limit: number;
  /** Only changes with a smaller id, the id of the last change of the previous page. */
  readonly before: string | undefined;
}

const maxChanges = 100;
const defaultChanges = 20;

/** Parses `?limit=20&before=4711`. */
export function parseChangesPage(query: Readonly<Record<string, unknown>>): ChangesPage {
  const { limit = String(defaultChanges), before } = query;
  const errors = {
    ...(isIntegerUpTo(limit, maxChanges)
      ? {}
      : { limit: [`This value should be from 1 to ${maxChanges}.`] }),
    ...(before === undefined || isIntegerUpTo(before, Number.MAX_SAFE_INTEGER)
      ? {}
      : { before: ['This value should be the id of a change.'] }),
  };
  if (Object.keys(errors).length > 0) throw validationError(errors);
  return { limit: Number(limit), before: before as string | undefined };
}

/** A query parameter with an integer from 1 to `max`. */
export function isIntegerUpTo(text: unknown, max: number): text is string {
  return typeof text === 'string' && /^[1-9]\d{0,15}$/.test(text) && Number(text) <= max;
}
