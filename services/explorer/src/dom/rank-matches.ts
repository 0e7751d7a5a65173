interface Searched<T> {
  readonly item: T;
  /** Matches here rank first. */
  readonly name: string;
  /** Other searchable text. */
  readonly about: string;
}

/** The items that contain every word of a text: equal names first, then names that start with it. */
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
    .sort((a, b) => rank(a) - rank(b))
    .map(({ item }) => item);
}
