import { expect } from 'chai';
import { adjusted, differenceOf as differenceOfSamples } from '../../reference/difference.ts';
import { studentT } from '../../reference/student-t.ts';

const speeds = [12.1, 30.4, 25, 41.7, 18.3, 55.2];
const others = [10, 28.9, 27.5, 36.1, 17.7, 47];

describe('the difference of two points, in the reference', () => {
  it('of the same households is the paired t test', () => {
    const difference = differenceOf(sideOf('a', speeds), sideOf('a', others));
    // scipy.stats.ttest_rel
    expect(difference.p).to.be.closeTo(0.15588217990323563, 1e-12);
    expect(difference.df).to.be.closeTo(5, 1e-12);
    expect(difference.ci95).to.be.closeTo(3.9775779711171393, 1e-11);
    expect(difference.metricValue).to.be.closeTo(2.5833333333333357, 1e-12);
    expect(difference.percent).to.be.closeTo((100 * 15.5) / 167.2, 1e-12);
    expect(difference.median).to.be.closeTo(27.7 - 28.2, 1e-12);
    expect(difference.reason).to.equal(null);
  });

  it('of different households is Welch’s t test', () => {
    const difference = differenceOf(sideOf('a', speeds), sideOf('b', others.slice(0, 4)));
    // scipy.stats.ttest_ind with equal_var=False
    expect(difference.p).to.be.closeTo(0.5865026115971462, 1e-12);
    expect(difference.df).to.be.closeTo(7.920783208675426, 1e-11);
    expect(difference.ci99).to.be.closeTo(28.64306746207228, 1e-10);
  });

  it('has both kinds of households where some are on both sides', () => {
    const here = [one('a', 1, 1 / 2), one('b', 3, 1 / 2)];
    const there = [one('b', 2, 1 / 2), one('c', 6, 1 / 2)];
    // With √2 as factor, a adds -½ and c -1, and b ½ + 1: the squares are ½, 2 and 4½.
    const difference = differenceOf(here, there);
    expect(difference.df).to.be.closeTo(49 / (0.25 + 4 + 20.25), 1e-12);
    expect(difference.ci95).to.be.closeTo(studentT(0.95, 2) * Math.sqrt(7), 1e-12);
    // With two degrees of freedom p is 1 − t / √(t² + 2).
    expect(difference.p).to.be.closeTo(1 - Math.sqrt(2) / 3, 1e-12);
  });

  it('of results has their households as the sample', () => {
    const here = [one('a', 8, 1 / 4), one('a', 12, 1 / 4), one('b', 20, 1 / 2)];
    const there = [one('c', 10, 1 / 2), one('d', 30, 1 / 4), one('d', 50, 1 / 4)];
    const ofHouseholds = differenceOf(
      [one('a', 10, 1 / 2), one('b', 20, 1 / 2)],
      [one('c', 10, 1 / 2), one('d', 40, 1 / 2)],
    );
    const difference = differenceOf(here, there);
    expect(difference.p).to.be.closeTo(ofHouseholds.p!, 1e-12);
    expect(difference.df).to.be.closeTo(ofHouseholds.df!, 1e-12);
    expect(difference.percent).to.be.closeTo(-40, 1e-12);
  });

  it('of medians has the density that follows from their intervals', () => {
    const values = Array.from({ length: 100 }, (_, i) => i);
    const later = values.map((value) => value + 50);
    // Each interval is 99 · 2 · t · SE wide, so the density is 1 / 99, and a household adds ±99 · ½ / 100.
    const margin = studentT(0.95, 198) * Math.sqrt(2 * (100 / 99) * 100 * 0.495 ** 2);
    const { medianCi95 } = differenceOf(sideOf('a', values), sideOf('b', later));
    expect(medianCi95[0]).to.be.closeTo(-50 - margin, 1e-9);
    expect(medianCi95[1]).to.be.closeTo(-50 + margin, 1e-9);
    const few = differenceOf(sideOf('a', [1, 2, 3, 4]), sideOf('b', [2, 3, 4, 5]));
    expect(few.p).to.be.within(0, 1);
    expect(few.medianCi95).to.deep.equal([null, null]);
  });

  it('has no test without variance, or with one household on a side', () => {
    const none = { ci90: null, ci95: null, ci99: null, p: null, df: null };
    const equal = differenceOf(sideOf('a', [7, 7, 7]), sideOf('b', [5, 5, 5]));
    expect(equal).to.deep.include({ ...none, metricValue: 2, percent: 40, median: 2 });
    expect(equal).to.deep.include({ medianCi95: [null, null], reason: 'noVariance' });
    const itself = differenceOf(sideOf('a', speeds), sideOf('a', speeds));
    expect(itself).to.deep.include({ ...none, metricValue: 0, reason: 'noVariance' });
    const alone = differenceOf(sideOf('a', [7, 9]), sideOf('b', [0]));
    expect(alone).to.deep.include({ ...none, metricValue: 8, percent: null });
    expect(alone).to.deep.include({ median: 8, reason: 'fewHouseholds' });
  });

  it('has a p that is adjusted for all others', () => {
    const all = adjusted([0.01, 0.04, null, 0.03, 0.9]);
    // scipy.stats.false_discovery_control
    const expected = [0.04, 0.16 / 3, null, 0.16 / 3, 0.9];
    all.forEach((p, i) =>
      p === null
        ? expect(expected[i]).to.equal(null)
        : expect(p).to.be.closeTo(expected[i]!, 1e-12),
    );
    expect(adjusted([null, 0.04])).to.deep.equal([null, null]);
  });
});

/** Households with equal weights. The same name on both sides gives the same households. */
function sideOf(name: string, values: readonly number[]) {
  return values.map((value, i) => one(`${name}${i}`, value, 1 / values.length));
}

function one(agentId: string, value: number, weight: number) {
  return { agentId, value, weight };
}

type Values = ReturnType<typeof sideOf>;

function differenceOf(here: Values, there: Values) {
  return differenceOfSamples({ items: here }, { items: there });
}
