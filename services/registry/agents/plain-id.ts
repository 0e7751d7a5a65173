/**
 * An id without ASCII punctuation, in lower case: `AA:bb-01` becomes aabb01. The contract lets clients
 * read an agent by it. Several ids may have the same plain form, so it never selects agents to change.
 *
 * Postgres has the same function, plain_id. A property test compares the two.
 */
export function plainId(id: string): string {
  return id.replace(asciiPunctuation, '').replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}

/** Whether an id has no punctuation, so that it may be the plain form of another. */
export function isPlain(id: string): boolean {
  return id !== '' && id.search(asciiPunctuation) === -1;
}

const asciiPunctuation = /[\u0020-\u002f\u003a-\u0040\u005b-\u0060\u007b-\u007e]/g;
