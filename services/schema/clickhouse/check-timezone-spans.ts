import type { TimezoneOffset } from './timezone-offsets.ts';

/** As in the dictionary timezone_span. */
const spanS = 2 ** 22;
const maxChanges = 2;

/** Throws if a time zone has more clock changes in a span than the dictionary timezone_span can hold. */
export function checkTimezoneSpans(offsets: readonly TimezoneOffset[]): void {
  const changes = new Map<string, number>();
  for (const { timezone, validFromUtcS } of offsets) {
    // The first period of a zone starts in 1970, and is not a change.
    if (validFromUtcS === 0) continue;
    const span = Math.floor(validFromUtcS / spanS);
    const key = `${timezone} ${span}`;
    const count = (changes.get(key) ?? 0) + 1;
    if (count > maxChanges) {
      const from = new Date(span * spanS * 1000).toISOString();
      throw new Error(
        `${timezone} has more than ${maxChanges} clock changes in the ${spanS} seconds from ${from}: ` +
          'the dictionary timezone_span needs shorter spans',
      );
    }
    changes.set(key, count);
  }
}
