import { expect } from 'chai';
import { statistics } from '../../reference/statistics.ts';
import type { Sample } from '../../reference/weights.ts';

describe('statistics of the reference', () => {
  it('of 2, 4, 4, 4, 5, 5, 7, 9 are a mean of 5 and a population deviation of 2', () => {
    const samples = [2, 4, 4, 4, 5, 5, 7, 9].map((value) => sample({ value }));
    const figures = statistics(samples, { normalised: false, agentAgg: false });
    expect(figures).to.include({ metricValue: 5, stdDev: 2, sampleCount: 8, agentCount: 1 });
    expect(figures).to.include({ min: 2, max: 9, median: 4.5 });
    expect(figures.ci95).to.be.closeTo((1.959964 * 2) / Math.sqrt(8), 1e-12);
  });

  it('normalised, a block counts as much as another, and in it an agent as much as another', () => {
    const samples = [
      // Block 0: agent a has a mean of 2, agent b of 8, together 5. Block 1: 11.
      sample({ value: 1, agentId: 'a', block: 0 }),
      sample({ value: 3, agentId: 'a', block: 0 }),
      sample({ value: 8, agentId: 'b', block: 0 }),
      sample({ value: 11, agentId: 'a', block: 1 }),
    ];
    const figures = statistics(samples, { normalised: true, agentAgg: false });
    expect(figures.metricValue).to.be.closeTo(8, 1e-12);
    // Weights 1/8, 1/8, 1/4, 1/2.
    const variance = (49 + 25) / 8 + 0 / 4 + 9 / 2;
    expect(figures.stdDev).to.be.closeTo(Math.sqrt(variance), 1e-12);
    const effectiveCount = 1 / (2 / 64 + 1 / 16 + 1 / 4);
    expect(figures.ci90).to.be.closeTo(1.644854 * Math.sqrt(variance / effectiveCount), 1e-12);
  });

  it('a rate is the ratio of sums: 1 of 1 and 0 of 3 failed is 25 %', () => {
    const samples = [sample({ value: 100, size: 1 }), sample({ value: 0, size: 3 })];
    const figures = statistics(samples, { normalised: false, agentAgg: false });
    expect(figures.metricValue).to.equal(25);
  });

  it('with agent_agg each household counts once', () => {
    const samples = [
      sample({ value: 1, agentId: 'a', unitId: 1 }),
      sample({ value: 3, agentId: 'a', unitId: 1 }),
      sample({ value: 8, agentId: 'b', unitId: null }),
    ];
    const figures = statistics(samples, { normalised: false, agentAgg: true });
    expect(figures).to.include({ metricValue: 5, stdDev: 3, min: 2, max: 8, median: 5 });
    expect(figures).to.include({ agentCount: 2, unitCount: 1 });
  });
});

function sample(given: Partial<Sample>): Sample {
  return { value: 0, size: 1, agentId: 'a', unitId: null, block: 0, ...given };
}
