import { validationError } from '../../shared/errors/app-error.ts';
import { isIntegerUpTo } from './parse-changes-page.ts';
import { isStorable, unstorable } from './parse-fields.ts';

/** One page of the agents of an organisation. */
export interface AgentsPage {
  readonly limit: number;
  /** Undefined: all agents. */
  readonly search: string | undefined;
  /** Only agents with a later id, the id of the last agent of the previous page. */
  readonly after: string | undefined;
}

const maxAgents = 200;
const defaultAgents = 50;
const maxTextCharacters = 200;

/** Parses `?search=wave&limit=50&after=wb-0002-2ffa8b`. */
export function parseAgentsPage(query: Readonly<Record<string, unknown>>): AgentsPage {
  const { limit = String(defaultAgents), search, after } = query;
  const errors = {
    ...(isIntegerUpTo(limit, maxAgents)
      ? {}
      : { limit: [`This value should be from 1 to ${maxAgents}.`] }),
    ...problemOf('search', search),
    ...problemOf('after', after),
  };
  if (Object.keys(errors).length > 0) throw validationError(errors);
  return {
    limit: Number(limit),
    search: search === '' ? undefined : (search as string | undefined),
    after: after as string | undefined,
  };
}

function problemOf(name: string, text: unknown): Record<string, readonly string[]> {
  if (text === undefined) return {};
  if (typeof text !== 'string') return { [name]: ['This value should be given once.'] };
  if (!isStorable(text)) return { [name]: [unstorable] };
  if (text.length <= maxTextCharacters) return {};
  return { [name]: [`This value is too long. The maximum is ${maxTextCharacters} characters.`] };
}
