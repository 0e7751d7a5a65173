import { expect } from 'chai';
import { percentile } from '../../reference/percentile.ts';

describe('percentiles of the reference', () => {
  it("are NumPy's for equal weights", () => {
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

  it('of a single value are that value', () => {
    expect([1, 50, 99].map((percent) => percentile(equal([7]), percent))).to.deep.equal([7, 7, 7]);
  });
});

function equal(values: readonly number[]) {
  return values.map((value) => ({ value, weight: 1 / values.length }));
}
