import { expect } from 'chai';
import { byteRange } from '../../../services/query/export/byte-range.ts';

describe('The range of bytes a caller asks for', () => {
  for (const [header, expected] of [
    [undefined, 'all'],
    ['bytes=0-0', { first: 0, last: 0 }],
    ['bytes=0-9', { first: 0, last: 9 }],
    ['bytes=5-', { first: 5, last: 9 }],
    ['bytes=5-99', { first: 5, last: 9 }],
    ['bytes=-3', { first: 7, last: 9 }],
    ['bytes=-99', { first: 0, last: 9 }],
    ['bytes=-0', 'outside'],
    ['bytes=10-', 'outside'],
    ['bytes=3-2', 'all'],
    ['bytes=-', 'all'],
    ['bytes=0-1,3-4', 'all'],
    ['lines=0-1', 'all'],
  ] as const) {
    it(`of ten, ${header ?? 'none'}: ${JSON.stringify(expected)}`, () => {
      expect(byteRange(header, 10)).to.deep.equal(expected);
    });
  }

  it('lies outside of an empty file, whatever it is', () => {
    expect(byteRange('bytes=0-', 0)).to.equal('outside');
  });
});
