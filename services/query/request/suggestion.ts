/** `Did you mean "httpget"?`, or the list of candidates if none is similar. */
export function suggestion(word: string, candidates: readonly string[]): string {
  const meant = nearest(word, candidates);
  return meant === undefined
    ? `Send one of: ${candidates.join(', ')}.`
    : `Did you mean ${JSON.stringify(meant)}?`;
}

/**
 * The most similar candidate, with at most one edit per three letters: `httpgt` finds `httpget`,
 * `foo` finds nothing.
 */
function nearest(word: string, candidates: readonly string[]): string | undefined {
  const typed = word.slice(0, 64).toLowerCase();
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates) {
    const distance = editDistance(typed, candidate.toLowerCase());
    const allowed = Math.max(1, Math.floor(Math.max(typed.length, candidate.length) / 3));
    if (distance <= allowed && distance < (best?.distance ?? Infinity)) {
      best = { candidate, distance };
    }
  }
  return best?.candidate;
}

/** Damerau-Levenshtein distance: `ips` is one swap from `isp`. */
function editDistance(from: string, to: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: to.length + 1 }, (_, i) => i);
  for (let i = 0; i < from.length; i++) {
    const current = [i + 1];
    for (let j = 0; j < to.length; j++) {
      const replaced = (last[j] ?? 0) + (from[i] === to[j] ? 0 : 1);
      const isSwap = i > 0 && j > 0 && from[i] === to[j - 1] && from[i - 1] === to[j];
      const swapped = isSwap ? (beforeLast[j - 1] ?? 0) + 1 : Infinity;
      current.push(Math.min(replaced, swapped, (last[j + 1] ?? 0) + 1, (current[j] ?? 0) + 1));
    }
    beforeLast = last;
    last = current;
  }
  return last.at(-1) ?? 0;
}
