interface Searched<T> {
  readonly item: T;
  /** Matches here rank first. */
  readonly name: string;
  /** Other searchable text. */
  readonly about: string;
}

/**
 * The items that contain every word of a text: equal names first, then names that start with it,
 * then names that contain it, shorter ones first.
 */
export function rankMatches<T>(all: readonly Searched<T>[], text: string): readonly T[] {
  const wanted = text.trim().toLowerCase();
  const words = wanted.split(/\s+/);
  const rank = ({ name }: Searched<T>) => {
    const own = name.toLowerCase();
    if (own === wanted) return 0;
    return own.startsWith(wanted) ? 1 : own.includes(wanted) ? 2 : 3;
  };
  return all
    .filter(({ name, about }) => {
      const searched = `${name} ${about}`.toLowerCase();
      return words.every((word) => searched.includes(word));
    })
    .sort((a, b) => rank(a) - rank(b) || (wanted === '' ? 0 : lengthOrder(a, b, rank(a))))
    .map(({ item }) => item);
}

/** Names that only mention the text in their description keep their order. */
function lengthOrder(a: Searched<unknown>, b: Searched<unknown>, rank: number): number {
  return rank === 3 ? 0 : a.name.length - b.name.length;
}
