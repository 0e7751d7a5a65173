import { expect } from 'chai';
import fc from 'fast-check';
import { textAfterPrefix } from '../../../services/registry/text-after-prefix.ts';

describe('the range of a prefix', () => {
  for (const [prefix, end] of [
    ['ab', 'ac'],
    ['a9', 'a:'],
    ['é', 'ê'],
    ['a\ud7ff', 'a\ue000'],
    ['a\u{10ffff}', 'b'],
    ['\u{1f600}', '\u{1f601}'],
  ] as const) {
    it(`${JSON.stringify(prefix)} ends before ${JSON.stringify(end)}`, () => {
      expect(textAfterPrefix(prefix)).to.equal(end);
    });
  }

  it('has no end for the empty prefix and the last character', () => {
    expect(textAfterPrefix('')).to.equal(undefined);
    expect(textAfterPrefix('\u{10ffff}')).to.equal(undefined);
  });

  it('contains exactly the texts that start with the prefix', () => {
    const text = fc.string({ unit: 'binary', maxLength: 4 });
    fc.assert(
      fc.property(text, text, (prefix, other) => {
        const end = textAfterPrefix(prefix);
        for (const candidate of [prefix + other, other]) {
          const isInRange =
            compareBytes(candidate, prefix) >= 0 &&
            (end === undefined || compareBytes(candidate, end) < 0);
          expect(isInRange, JSON.stringify([prefix, candidate])).to.equal(
            candidate.startsWith(prefix),
          );
        }
      }),
    );
  });
});

/** As collation C compares texts. */
function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}
