import { Problems } from '../../shared/errors/problems.ts';
import { isStorable, unstorable } from './parse-fields.ts';

type QueryParameters = Readonly<Record<string, unknown>>;

/** One page of the agents of an organisation. */
export interface AgentsPage {
  readonly limit: number;
  /** Undefined: all agents. */
  readonly search: string | undefined;
  /** Only agents with a later id, the id of the last agent of the previous page. */
  readonly after: string | undefined;
}

/** Parses `?search=wave&limit=50&after=wb-0002-2ffa8b`. */
export function parseAgentsPage({ limit, search, after }: QueryParameters): AgentsPage {
  return parsePage((problems) => ({
    limit: parseLimit(limit ?? '50', 200, problems),
    search: parseText('search', search === '' ? undefined : search, problems),
    after: parseText('after', after, problems),
  }));
}

/** One page of the changes of an agent. */
export interface ChangesPage {
  readonly limit: number;
  /** Only changes with a smaller id, the id of the last change of the previous page. */
  readonly before: string | undefined;
}

/** Parses `?limit=20&before=4711`. */
export function parseChangesPage({ limit, before }: QueryParameters): ChangesPage {
  return parsePage((problems) => {
    const page = { limit: parseLimit(limit ?? '20', 100, problems), before: undefined };
    if (before === undefined) return page;
    if (isIntegerUpTo(before, Number.MAX_SAFE_INTEGER)) return { ...page, before };
    problems.add('before', 'This value should be the id of a change.');
    return page;
  });
}

/** One page of the history of an agent. */
export interface HistoryPage {
  readonly limit: number;
  /** Only periods that begin before this time, the `from` of the last period of the previous page. */
  readonly after: string | undefined;
}

/** Parses `?limit=100&after=2026-11-01T00:00:00.000Z`. */
export function parseHistoryPage({ limit, after }: QueryParameters): HistoryPage {
  return parsePage((problems) => {
    const page = { limit: parseLimit(limit ?? '1000', 1_000, problems), after: undefined };
    if (after === undefined) return page;
    if (isMoment(after)) return { ...page, after };
    problems.add('after', 'This value should be a time such as 2026-11-01T00:00:00.000Z.');
    return page;
  });
}

function parsePage<Page>(parse: (problems: Problems) => Page): Page {
  const problems = new Problems();
  const page = parse(problems);
  problems.throwIfAny();
  return page;
}

function parseLimit(text: unknown, max: number, problems: Problems): number {
  if (!isIntegerUpTo(text, max)) problems.add('limit', `This value should be from 1 to ${max}.`);
  return Number(text);
}

function isIntegerUpTo(text: unknown, max: number): text is string {
  if (typeof text !== 'string' || !/^\d{1,16}$/.test(text)) return false;
  return Number(text) >= 1 && Number(text) <= max;
}

const maxTextCharacters = 200;

function parseText(name: string, text: unknown, problems: Problems): string | undefined {
  if (text === undefined) return undefined;
  if (typeof text !== 'string') problems.add(name, 'This value should be given once.');
  else if (!isStorable(text)) problems.add(name, unstorable);
  else if (text.length <= maxTextCharacters) return text;
  else {
    problems.add(name, `This value is too long. The maximum is ${maxTextCharacters} characters.`);
  }
  return undefined;
}

function isMoment(text: unknown): text is string {
  if (typeof text !== 'string' || !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(text)) {
    return false;
  }
  const milliseconds = Date.parse(text);
  // Date.parse turns 31 February into a date of March.
  return !Number.isNaN(milliseconds) && new Date(milliseconds).toISOString() === text;
}
