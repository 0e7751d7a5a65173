/**
 * The first text, by code points, that comes after all texts with this prefix: `ab` ends before `ac`.
 * Undefined if there is none: the empty prefix has no end.
 */
export function textAfterPrefix(prefix: string): string | undefined {
  const points = Array.from(prefix, (character) => character.codePointAt(0) ?? 0);
  while (points.at(-1) === lastCodePoint) points.pop();
  const last = points.pop();
  if (last === undefined) return undefined;
  // No text contains the surrogates U+D800 to U+DFFF.
  const next = last === 0xd7ff ? 0xe000 : last + 1;
  return String.fromCodePoint(...points, next);
}

const lastCodePoint = 0x10ffff;
