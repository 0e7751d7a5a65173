import { plainId } from '../../registry/agents/plain-id.ts';
import { param, sql, type Expression } from '../../shared/sql/expression.ts';

export interface ValueMatch {
  /** Conditions on `value`: it contains every word of the search. */
  readonly conditions: readonly Expression[];
  /** How well a text matches; lower is better. */
  readonly rank: (text: Expression) => Expression;
}

/**
 * Finds values by a search, in any case. RE2 ignores the case of all letters; lower() only that of A to Z, and
 * lowerUTF8 is missing in some builds of ClickHouse. A search for the ids of agents also finds them
 * without their punctuation: `aabb` finds `AA:BB-12`.
 */
export function valueMatch(search: string, { isAgentId }: { isAgentId: boolean }): ValueMatch {
  const whole = search.trim();
  if (whole === '') return { conditions: [], rank: () => '0' };
  const matches = (text: Expression, name: string, words: string, [start, end]: Anchors) => {
    const spelt = [...spellings(words), ...(isAgentId ? withAnyPunctuation(words) : [])];
    const pattern = `(?i)${start}(?:${spelt.join('|')})${end}`;
    return sql`match(${text}, ${param(name, 'String', pattern)})`;
  };
  const words = [...new Set(whole.split(/\s+/))];
  return {
    conditions: words.map((word) => matches('value', 'word', word, anywhere)),
    rank: (text) =>
      sql`multiIf(${matches(text, 'exact', whole, exact)}, 0, ${matches(text, 'prefix', whole, prefix)}, 1,
    ${matches(text, 'word_start', whole, wordStart)}, 2, ${matches(text, 'part', whole, anywhere)}, 3, 4)`,
  };
}

/** What a pattern has before and after the searched text. */
type Anchors = readonly [start: string, end: string];

const exact: Anchors = ['\\A', '\\z'];
const prefix: Anchors = ['\\A', ''];
const wordStart: Anchors = ['(?:\\A|[^\\p{L}\\p{M}\\p{N}])', ''];
const anywhere: Anchors = ['', ''];

/** é can be stored as one character (NFC) or as two (NFD). */
function spellings(text: string): readonly string[] {
  const forms = new Set([text, text.normalize('NFC'), text.normalize('NFD')]);
  return [...forms].map(escaped);
}

/** RE2 takes any punctuation after a backslash literally. */
function escaped(text: string): string {
  return text.replace(/[!-/:-@[-`{-~]/g, '\\$&');
}

/** The letters and digits of an id, with any punctuation between them; nothing for `---`. */
function withAnyPunctuation(text: string): readonly string[] {
  const plain = plainId(text);
  return plain === '' ? [] : [['', ...Array.from(plain), ''].join('[ [:punct:]]*')];
}
