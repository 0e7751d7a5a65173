import { shortened } from '../../shared/errors/shortened.ts';

/** `Did you mean "httpget"?`, or some of the candidates if none is similar. */
export function suggestion(word: string, candidates: readonly string[]): string {
  const meant = nearest(word, candidates);
  return meant === undefined
    ? `Send ${oneOf(candidates)}.`
    : `Did you mean ${JSON.stringify(meant)}?`;
}

/** `one of: isp, package, … and 15 more`; an organisation can have hundreds of custom keys. */
export function oneOf(names: readonly string[]): string {
  const listed = names.slice(0, maxListedNames).map(shortened).join(', ');
  const more = names.length - maxListedNames;
  return `one of: ${listed}${more > 0 ? ` and ${more} more` : ''}`;
}

const maxListedNames = 10;

// Bounds of the work per word, for a client that sends many long ones.
const maxComparedNames = 500;
const maxComparedLength = 64;
const maxEdits = 3;

/**
 * The most similar candidate, with at most one edit per three letters: `httpgt` finds `httpget`,
 * `foo` finds nothing.
 */
function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > maxComparedLength) return undefined;
  const typed = word.toLowerCase();
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates.slice(0, maxComparedNames)) {
    const allowed = allowedEdits(Math.max(typed.length, candidate.length));
    // Each edit changes the length by at most one.
    if (Math.abs(candidate.length - typed.length) > allowed) continue;
    const distance = editDistance(typed, candidate.toLowerCase(), allowed);
    if (distance <= allowed && distance < (best?.distance ?? Infinity)) {
      best = { candidate, distance };
    }
  }
  return best?.candidate;
}

function allowedEdits(length: number): number {
  return Math.min(maxEdits, Math.max(1, Math.floor(length / 3)));
}

/**
 * Damerau-Levenshtein distance, or Infinity if it is above `limit`: `ips` is one swap from `isp`. Only
 * prefixes whose lengths differ by at most `limit` are compared: the others are farther apart.
 */
function editDistance(from: string, to: string, limit: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, i) => (i <= limit ? i : Infinity));
  for (let i = 1; i <= from.length; i++) {
    const current = Array<number>(to.length + 1).fill(Infinity);
    if (i <= limit) current[0] = i;
    for (let j = Math.max(1, i - limit); j <= Math.min(to.length, i + limit); j++) {
      const replaced = (last[j - 1] ?? Infinity) + (from[i - 1] === to[j - 1] ? 0 : 1);
      const isSwap = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1];
      const swapped = isSwap ? (beforeLast[j - 2] ?? Infinity) + 1 : Infinity;
      const added = (current[j - 1] ?? Infinity) + 1;
      const removed = (last[j] ?? Infinity) + 1;
      current[j] = Math.min(replaced, swapped, added, removed);
    }
    beforeLast = last;
    last = current;
  }
  return last.at(-1) ?? Infinity;
}
