/**
 * Makes control characters visible: a terminal would obey escape sequences in names of ISPs and custom values, which
 * come from elsewhere.
 */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\u2028\u2029]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}

/** Columns of a terminal that a text takes: two for Chinese, Japanese and Korean characters and emoji, none for marks. */
export function displayWidth(text: string): number {
  let width = 0;
  for (const character of text.normalize('NFC')) {
    if (/\p{Mn}|\p{Me}/u.test(character)) continue;
    width += wide.test(character) ? 2 : 1;
  }
  return width;
}

const wide =
  /\p{Emoji_Presentation}|[\u1100-\u115f\u2e80-\u303e\u3041-\u33ff\u3400-\u4dbf\u4e00-\u9fff\ua000-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{20000}-\u{3fffd}]/u;
