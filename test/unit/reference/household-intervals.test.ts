import { expect } from 'chai';
import { Random } from '../../property/random.ts';
import { intervalsOf, type Interval } from '../../reference/household-intervals.ts';
import { studentT } from '../../reference/student-t.ts';

const samples = 2_000;

describe('intervals with households as the sample, in the reference', () => {
  it('hold the 5th and 95th percentile in about 95 % of samples of 400 households', () => {
    const random = new Random(20_261_119);
    // Of the exponential distribution: -ln(1 - p).
    const truths: Readonly<Record<string, number>> = {
      '5': -Math.log(0.95),
      '95': -Math.log(0.05),
    };
    const inside: Record<string, number> = { '5': 0, '95': 0 };
    for (let i = 0; i < samples; i++) {
      const values = Array.from({ length: 400 }, () => -Math.log(1 - random.fraction()));
      const bounds = percentilesOf(values, [5, 95]);
      for (const [name, truth] of Object.entries(truths)) {
        const [low, high] = bounds[name]!;
        if (low! <= truth && truth <= high!) inside[name]!++;
      }
    }
    for (const count of Object.values(inside)) {
      expect((100 * count) / samples).to.be.within(93.5, 96.5);
    }
  });

  it('have no bound beyond the values, and none without variance', () => {
    expect(percentilesOf([1, 2, 3, 4, 5], [50])['50']).to.deep.equal([null, null]);
    expect(percentilesOf([7, 7, 7, 7, 7, 7], [50])['50']).to.deep.equal([null, null]);
    const [low, high] = percentilesOf(
      Array.from({ length: 40 }, (_, i) => i),
      [5],
    )['5']!;
    expect(low).to.equal(null);
    expect(high).to.be.within(2, 8);
  });

  it('of the median are between the values at ½ ± t · √(¼ / 99)', () => {
    const values = Array.from({ length: 100 }, (_, i) => i);
    const margin = studentT(0.95, 99) * Math.sqrt(0.25 / 99);
    const [low, high] = percentilesOf(values, [50])['50']!;
    expect(low).to.be.closeTo(99 * (0.5 - margin), 1e-9);
    expect(high).to.be.closeTo(99 * (0.5 + margin), 1e-9);
  });

  it('of a share of 1 are Wilson’s, below 1', () => {
    const { numbers } = intervalsOf(sampleOf([5, 6, 7, 8]), { shares: [5] }, true);
    const { sharesCi95 } = numbers as { sharesCi95: Readonly<Record<string, Interval>> };
    const t = studentT(0.95, 3);
    expect(sharesCi95['5']![0]).to.be.closeTo(4 / (4 + t ** 2), 1e-12);
    expect(sharesCi95['5']![1]).to.be.closeTo(1, 1e-12);
  });
});

function percentilesOf(values: readonly number[], percents: readonly number[]) {
  const { numbers } = intervalsOf(sampleOf(values), { intervalsOf: percents }, true);
  return (numbers as { percentilesCi95: Readonly<Record<string, Interval>> }).percentilesCi95;
}

function sampleOf(values: readonly number[]) {
  const weight = 1 / values.length;
  return { items: values.map((value, i) => ({ agentId: String(i), value, weight })) };
}
