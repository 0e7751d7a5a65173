import { nearest } from '../../shared/nearest.ts';
import { shortened } from '../../shared/errors/shortened.ts';

/** `Did you mean "httpget"?`, or some of the candidates if none is similar. `ifNone`: there is no candidate at all. */
export function suggestion(
  word: string,
  candidates: readonly string[],
  ifNone = 'There are none.',
): string {
  if (candidates.length === 0) return ifNone;
  const meant = nearest(word, candidates);
  return meant === undefined
    ? `Send ${oneOf(candidates)}.`
    : `Did you mean ${JSON.stringify(meant)}?`;
}

export function noGrants(kind: 'metric' | 'test'): string {
  return `Your organisation has access to no ${kind}. An operator grants it with netpanel grant ${kind}.`;
}

/** `one of: isp, package, … and 15 more`; an organisation can have hundreds of custom keys. */
export function oneOf(names: readonly string[]): string {
  const listed = names.slice(0, maxListedNames).map(shortened).join(', ');
  const more = names.length - maxListedNames;
  return `one of: ${listed}${more > 0 ? ` and ${more} more` : ''}`;
}

const maxListedNames = 10;
