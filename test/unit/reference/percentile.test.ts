import { expect } from 'chai';
import { percentile } from '../../reference/percentile.ts';

describe('percentiles of the reference', () => {
  it('match NumPy for equal weights', () => {
    // numpy.percentile([15, 20, 35, 40, 50], [1, 5, 25, 40, 50, 90, 99])
    const values = [35, 15, 50, 40, 20];
    const at = (percent: number) => percentile(equal(values), percent);
    expect(at(1)).to.be.closeTo(15.2, 1e-12);
    expect(at(5)).to.be.closeTo(16, 1e-12);
    expect(at(25)).to.equal(20);
    expect(at(40)).to.be.closeTo(29, 1e-12);
    expect(at(50)).to.equal(35);
    expect(at(90)).to.be.closeTo(46, 1e-12);
    expect(at(99)).to.be.closeTo(49.6, 1e-12);
  });

  it('of an even number of values, the median is halfway between the middle two', () => {
    expect(percentile(equal([4, 1, 3, 2]), 50)).to.be.closeTo(2.5, 1e-12);
  });

  it('of weighted values are positioned at the middle of their weights', () => {
    // Middles at 1/16, 3/16, 6/16, 12/16; half way is 6.5/16, a twelfth of the way from 40 to 100.
    const weighted = [
      { value: 10, weight: 1 / 8 },
      { value: 30, weight: 1 / 8 },
      { value: 40, weight: 1 / 4 },
      { value: 100, weight: 1 / 2 },
    ];
    expect(percentile(weighted, 50)).to.be.closeTo(45, 1e-12);
  });

  it('of equal values do not depend on their order', () => {
    // Middles of 0, 0, 25 at 1, 3.5, 7 of 9; half way is 4, a seventh of the way from 0 to 25.
    const weighted = [
      { value: 25, weight: 4 / 9 },
      { value: 0, weight: 2 / 9 },
      { value: 0, weight: 3 / 9 },
    ];
    expect(percentile(weighted, 50)).to.be.closeTo(25 / 7, 1e-12);
    expect(percentile(weighted.toReversed(), 50)).to.be.closeTo(25 / 7, 1e-12);
  });

  it('of a single value are that value', () => {
    expect([1, 50, 99].map((percent) => percentile(equal([7]), percent))).to.deep.equal([7, 7, 7]);
  });
});

function equal(values: readonly number[]) {
  return values.map((value) => ({ value, weight: 1 / values.length }));
}
