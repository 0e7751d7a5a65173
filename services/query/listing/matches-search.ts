/** Whether the texts contain every word of a search, in any case. Without a search, all match. */
export function matchesSearch(texts: readonly string[], search = ''): boolean {
  const searched = texts.join('\n').toLowerCase();
  return search
    .toLowerCase()
    .split(/\s+/)
    .every((word) => searched.includes(word));
}
