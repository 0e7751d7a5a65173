import type { FieldCheck } from './field-check.ts';

/**
 * The same check for a file with tabs as separators, in which ClickHouse does not skip spaces around
 * numbers and times: they are removed.
 */
export function withoutSpaces(check: FieldCheck): FieldCheck {
  return {
    expected: check.expected,
    isValid: (bytes, start, end) =>
      bytes[start] !== blank && bytes[end - 1] !== blank && check.isValid(bytes, start, end),
    convert: (text) => {
      const trimmed = text.trim();
      const bytes = Buffer.from(trimmed);
      return check.isValid(bytes, 0, bytes.length) ? { text: trimmed } : check.convert?.(trimmed);
    },
  };
}

const blank = 0x20;
