interface Searched<T> {
  readonly item: T;
  /** What a person most likely types. */
  readonly name: string;
  /** What else may fit. */
  readonly about: string;
}

/** What holds every word of a text; what is called so, or starts so, comes before what mentions it. */
export function bestFirst<T>(all: readonly Searched<T>[], text: string): readonly T[] {
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
