import { createHash } from 'node:crypto';
import { isObject } from '../request/request-body.ts';

/** How much of a value is kept: items of a list, members of an object, characters of a text. */
interface Limits {
  readonly items: number;
  readonly members: number;
  readonly characters: number;
}

// At most one of the first two is needed for a valid request; the last fits any JSON of few levels.
const limitSteps: readonly Limits[] = [
  { items: 20, members: 50, characters: 200 },
  { items: 5, members: 20, characters: 100 },
  { items: 1, members: 10, characters: 50 },
];

/**
 * Shortens JSON to at most `maxBytes`, and keeps its meaning: short members come first, and long lists and
 * texts are cut, with their length:
 *
 *     {"metric":"httpget","filters":[{"id":"isp","filterValues":{"first":["a","b"],"count":900}}],
 *      "shortened":{"bytes":77000,"sha256":"…"}}
 *
 * The hash is of the whole text, so that it can be compared with a request that a client has kept.
 */
export function shortenedJson(text: string, maxBytes: number): string {
  const bytes = Buffer.byteLength(text);
  if (bytes <= maxBytes) return text;
  const value = JSON.parse(text) as unknown;
  const shortened = { bytes, sha256: createHash('sha256').update(text).digest('hex') };
  for (const limits of limitSteps) {
    const content = shorten(value, limits);
    const whole = JSON.stringify(
      isObject(content) ? { ...content, shortened } : { content, shortened },
    );
    if (Buffer.byteLength(whole) <= maxBytes) return whole;
  }
  return JSON.stringify({ shortened });
}

function shorten(value: unknown, limits: Limits): unknown {
  if (typeof value === 'string') return shortenText(value, limits);
  if (Array.isArray(value)) {
    const first = value.slice(0, limits.items).map((item) => shorten(item, limits));
    return first.length === value.length ? first : { first, count: value.length };
  }
  return isObject(value) ? shortenObject(value, limits) : value;
}

function shortenText(text: string, { characters }: Limits): unknown {
  if (text.length <= characters) return text;
  // Half of a surrogate pair would not be valid Unicode.
  const first = text.slice(0, characters).replace(/[\uD800-\uDBFF]$/, '');
  return { first, characters: text.length };
}

function shortenObject(value: object, limits: Limits): object {
  const members = Object.entries(value)
    .map(([name, member]) => [name.slice(0, limits.characters), shorten(member, limits)] as const)
    .map((entry) => ({ entry, length: JSON.stringify(entry).length }))
    .sort((a, b) => a.length - b.length);
  const kept = members.slice(0, limits.members).map(({ entry }) => entry);
  const left = members.length - kept.length;
  return Object.fromEntries(left === 0 ? kept : [...kept, ['membersLeftOut', left]]);
}
