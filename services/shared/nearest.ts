// Bounds of the work per word, for a client that sends many long ones.
const maxComparedNames = 500;
const maxComparedLength = 64;
const maxEdits = 3;

/**
 * The most similar candidate, with at most one edit per three letters: `httpgt` finds `httpget`,
 * `foo` finds nothing.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  if (word.length > maxComparedLength) return undefined;
  const typed = word.toLowerCase();
  let best: { readonly candidate: string; readonly distance: number } | undefined;
  for (const candidate of candidates.slice(0, maxComparedNames)) {
    const allowed = allowedEdits(Math.max(typed.length, candidate.length));
    const limit = Math.min(allowed, (best?.distance ?? Infinity) - 1);
    // Each edit changes the length by at most one.
    if (Math.abs(candidate.length - typed.length) > limit) continue;
    const distance = editDistance(typed, candidate.toLowerCase(), limit);
    if (distance <= limit) best = { candidate, distance };
  }
  return best?.candidate;
}

function allowedEdits(length: number): number {
  return Math.min(maxEdits, Math.max(1, Math.floor(length / 3)));
}

/**
 * Damerau-Levenshtein distance, or Infinity if it is above `limit`: `ips` is one swap from `isp`. Cell j
 * of row i is the distance of the first i letters of `from` to the first j of `to`. Only cells near the
 * diagonal are computed: the others are above the limit.
 */
function editDistance(from: string, to: string, limit: number): number {
  let [beforeLast, last, current] = rows;
  for (let j = 0; j <= limit + 1; j++) last[j] = j;
  for (let i = 1; i <= from.length; i++) {
    const first = Math.max(1, i - limit);
    const end = Math.min(to.length, i + limit);
    let least = (current[first - 1] = first === 1 ? i : far);
    for (let j = first; j <= end; j++) {
      const isSame = from.charCodeAt(i - 1) === to.charCodeAt(j - 1);
      let distance = Math.min(
        at(last, j - 1) + (isSame ? 0 : 1),
        at(last, j) + 1,
        at(current, j - 1) + 1,
      );
      const isSwap =
        i > 1 &&
        j > 1 &&
        from.charCodeAt(i - 1) === to.charCodeAt(j - 2) &&
        from.charCodeAt(i - 2) === to.charCodeAt(j - 1);
      if (isSwap) distance = Math.min(distance, at(beforeLast, j - 2) + 1);
      current[j] = distance;
      least = Math.min(least, distance);
    }
    current[end + 1] = far;
    if (least > limit) return Infinity;
    [beforeLast, last, current] = [last, current, beforeLast];
  }
  return at(last, to.length);
}

const far = 100;

// Reused, because new rows for each of thousands of comparisons take longer than the comparison.
const rows = [newRow(), newRow(), newRow()] as const;

function newRow(): Uint8Array {
  return new Uint8Array(maxComparedLength + maxEdits + 2);
}

function at(row: Uint8Array, index: number): number {
  return row[index] ?? far;
}
