import { expect } from 'chai';
import { statistics } from '../../reference/statistics.ts';
import type { Sample } from '../../reference/weights.ts';

describe('statistics of the reference', () => {
  it('of 2, 4, 4, 4, 5, 5, 7, 9 are mean 5 and population standard deviation 2', () => {
    const samples = [2, 4, 4, 4, 5, 5, 7, 9].map((value) => sample({ value }));
    const point = statistics(samples, { normalised: false, agentAgg: false });
    expect(point).to.include({ metricValue: 5, stdDev: 2, sampleCount: 8, agentCount: 1 });
    expect(point).to.include({ min: 2, max: 9, median: 4.5 });
    expect(point.ci95).to.be.closeTo((1.959964 * 2) / Math.sqrt(8), 1e-12);
  });

  it('normalised have equal weight per block, and in it per agent', () => {
    const samples = [
      // Block 0: agent a has a mean of 2, agent b of 8, together 5. Block 1: 11.
      sample({ value: 1, agentId: 'a', block: 0 }),
      sample({ value: 3, agentId: 'a', block: 0 }),
      sample({ value: 8, agentId: 'b', block: 0 }),
      sample({ value: 11, agentId: 'a', block: 1 }),
    ];
    const point = statistics(samples, { normalised: true, agentAgg: false });
    expect(point.metricValue).to.be.closeTo(8, 1e-12);
    // Weights 1/8, 1/8, 1/4, 1/2.
    const variance = (49 + 25) / 8 + 0 / 4 + 9 / 2;
    expect(point.stdDev).to.be.closeTo(Math.sqrt(variance), 1e-12);
    const effectiveCount = 1 / (2 / 64 + 1 / 16 + 1 / 4);
    expect(point.ci90).to.be.closeTo(1.644854 * Math.sqrt(variance / effectiveCount), 1e-12);
  });

  it('of a rate are the ratio of sums: 1 of 1 and 0 of 3 failed is 25 %', () => {
    const samples = [sample({ value: 100, size: 1 }), sample({ value: 0, size: 3 })];
    const point = statistics(samples, { normalised: false, agentAgg: false });
    expect(point.metricValue).to.equal(25);
  });

  it('with agent_agg count each household once', () => {
    const samples = [
      sample({ value: 1, agentId: 'a', unitId: 1 }),
      sample({ value: 3, agentId: 'a', unitId: 1 }),
      sample({ value: 8, agentId: 'b', unitId: null }),
    ];
    const point = statistics(samples, { normalised: false, agentAgg: true });
    expect(point).to.include({ metricValue: 5, stdDev: 3, min: 2, max: 8, median: 5 });
    expect(point).to.include({ agentCount: 2, unitCount: 1 });
    // Of 2 and 8: t with one degree of freedom times 3 / √(2 − 1).
    expect(point.ci95).to.be.closeTo(12.7062047361747 * 3, 1e-10);
    const one = statistics(samples.slice(0, 2), { normalised: false, agentAgg: true });
    expect(one.ci95).to.equal(null);
  });
});

function sample(given: Partial<Sample>): Sample {
  return { value: 0, size: 1, agentId: 'a', unitId: null, block: 0, ...given };
}
