/**
 * A regular expression, for Postgres and ClickHouse alike, that finds the identifiers in the text of a
 * stored request. To be matched without regard to case.
 *
 * A number is found as a whole JSON value only: unit 11 is in `[11,12]` and `"11"`, not in
 * `2026-11-16`. Other ids are found between characters that are not letters or digits, with any
 * punctuation: `00:1A:2B:3C:4D:5E` is in `"001a.2b3c.4d5e"`.
 */
export function identifierPattern(identifiers: readonly string[]): string {
  return [...new Set(identifiers.map(patternOf))].join('|');
}

function patternOf(identifier: string): string {
  if (/^\d+$/.test(identifier)) return String.raw`(^|[\[,:" ])${identifier}($|[\],}" ])`;
  return `(^|[^A-Za-z0-9])${spellings(identifier)}($|[^A-Za-z0-9])`;
}

/** Ids with characters that are not ASCII, or that JSON escapes, are found as they are. */
function spellings(identifier: string): string {
  const characters = identifier.replace(/[^A-Za-z0-9]/g, '');
  const isPlain = /^[\x20-\x7e]+$/.test(identifier) && !/["\\]/.test(identifier);
  if (!isPlain || characters === '') return escaped(JSON.stringify(identifier).slice(1, -1));
  return characters.replaceAll(/(?!^)./g, '[^A-Za-z0-9"]{0,2}$&');
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}
