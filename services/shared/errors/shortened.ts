const maxShownLength = 200;

/** A text of the client for an error message: at most 200 characters of it. */
export function shortened(text: string): string {
  if (text.length <= maxShownLength) return text;
  // Half of a surrogate pair is not a character.
  return `${text.slice(0, maxShownLength).replace(/[\uD800-\uDBFF]$/, '')}…`;
}
