import { expect } from 'chai';
import fc from 'fast-check';
import { valueLists } from '../../../services/query/compiler/conditions.ts';

/** The default of ClickHouse's http_max_field_value_size. */
const maxParamBytes = 128 * 1024;

describe('a long list of values', () => {
  it('is split into parts that fit into a parameter, in the same order', () => {
    const value = fc
      .tuple(fc.string({ unit: 'grapheme', minLength: 1 }), fc.integer({ min: 0, max: 2_000 }))
      .map(([text, times]) => text.repeat(times).slice(0, 8_192));
    fc.assert(
      fc.property(fc.array(value, { maxLength: 200 }), (values) => {
        const lists = valueLists(values);
        expect(lists.flat()).to.deep.equal(values);
        for (const list of lists) {
          // As if every character were escaped.
          const bytes = list.reduce((sum, one) => sum + 2 * Buffer.byteLength(one) + 3, 2);
          expect(bytes).to.be.below(maxParamBytes);
        }
      }),
      { numRuns: 30 },
    );
  });

  it('stays one part if it is short', () => {
    expect(valueLists(['a', 'b'])).to.deep.equal([['a', 'b']]);
  });
});
