import { expect } from 'chai';
import { firstDifference } from '../../reference/first-difference.ts';

describe('the comparison with the reference', () => {
  const point = (fields: object) => [{ metricData: [{ max: 0, ...fields }] }];

  it('accepts the last digits of a statistic, also if the expected number is an integer', () => {
    const actual = point({ consistent: 19.999999999999996 });
    expect(firstDifference(point({ consistent: 20 }), actual)).to.equal(undefined);
  });

  it('compares the test of a difference beside results of any size', () => {
    const sized = (p: number) => point({ max: 5e12, difference: { p } });
    expect(firstDifference(sized(0.03), sized(0.031))).to.equal(
      'data[0].metricData[0].difference.p should be 0.03 but is 0.031',
    );
    expect(firstDifference(sized(0.03), sized(0.03 + 1e-8))).to.equal(undefined);
  });

  it('reports a statistic that differs by more', () => {
    expect(firstDifference(point({ consistent: 20 }), point({ consistent: 19.999 }))).to.equal(
      'data[0].metricData[0].consistent should be 20 but is 19.999',
    );
  });

  for (const [name, fields] of Object.entries({
    sampleCount: (n: number) => ({ sampleCount: n }),
    'leftOut.households': (n: number) => ({ leftOut: { households: n } }),
    'households.both': (n: number) => ({ households: { both: n } }),
    'coverage.received': (n: number) => ({ coverage: { received: n } }),
  })) {
    it(`compares ${name} exactly beside results of any size`, () => {
      const sized = (n: number) => point({ max: 5e12, ...fields(n) });
      expect(firstDifference(sized(3), sized(4))).to.equal(
        `data[0].metricData[0].${name} should be 3 but is 4`,
      );
      expect(firstDifference(sized(3), sized(3))).to.equal(undefined);
    });
  }
});
