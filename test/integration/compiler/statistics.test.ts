import { expect } from 'chai';
import { openPanel, type Panel, type Row } from './open-panel.ts';

const january = { from: '2026-01-01 00:00:00', to: '2026-01-31 23:59:59' };

/** A download with this speed. */
function download(org: number, agent: number, dtime: string, mbps: number, more: Row = {}): Row {
  return { org, agent, dtime, target: 't', bytes_sec: mbps * 125_000, threads: 8, ...more };
}

function lookup(org: number, agent: number, dtime: string, ok: number, failed: number): Row {
  return { org, agent, dtime, lookup_host: 'h', successes: ok, failures: failed, rtt: 20_000 };
}

describe('statistics', () => {
  let panel: Panel;
  before(async () => {
    panel = await openPanel();
  });
  after(() => panel.close());

  const total = (org: number, changes: Row = {}) =>
    panel.query(org, { aggregation: 'total', time: january, ...changes });

  it('are mean, population standard deviation, confidence intervals, extremes and percentiles', async () => {
    const values = [10, 20, 30, 40];
    await panel.results(
      'httpget',
      values.map((mbps, i) => download(1, 1 + (i % 2), `2026-01-05 0${i}:00:00`, mbps)),
    );
    const [point, ...others] = await total(1);
    expect(others).to.deep.equal([]);
    // Σ(x - 25)² = 500, so the deviation is √125; each interval is z · √125 / √4.
    expectClose(point, {
      metricValue: 25,
      stdDev: Math.sqrt(125),
      sampleCount: 4,
      agentCount: 2,
      unitCount: 2,
      ci90: 0.822427 * Math.sqrt(125),
      ci95: 0.979982 * Math.sqrt(125),
      ci99: 1.2879145 * Math.sqrt(125),
      min: 10,
      max: 40,
      median: 25,
    });
    expect(Object.keys(point!)).to.not.include.members(['dtime', 'aggregatedNumber']);
    expectClose(point!.percentiles as Row, {
      1: 10.3,
      5: 11.5,
      10: 13,
      20: 16,
      25: 17.5,
      50: 25,
      75: 32.5,
      80: 34,
      90: 37,
      95: 38.5,
      99: 39.7,
    });
  });

  it('of one result are the result itself, with deviation 0', async () => {
    await panel.results('httpget', [download(2, 1, '2026-01-05 00:00:00', 12.5)]);
    for (const changes of [{}, { normalised: true }, { agent_agg: true }]) {
      const [point] = await total(2, changes);
      expectClose(point, { metricValue: 12.5, stdDev: 0, min: 12.5, median: 12.5 });
      // One household is not a sample of households.
      expect(point?.ci99).to.equal('agent_agg' in changes ? null : 0);
      expect(new Set(Object.values(point!.percentiles as Row))).to.deep.equal(new Set([12.5]));
    }
  });

  it('of no results are absent, not zero', async () => {
    for (const changes of [{}, { normalised: true }, { agent_agg: true }]) {
      expect(await total(3, changes)).to.deep.equal([]);
      expect(await total(3, { ...changes, metric: 'dnsFail' })).to.deep.equal([]);
    }
    expect(await total(3, { aggregation: 'daily' })).to.deep.equal([]);
  });

  it('order equal values by weight when normalised', async () => {
    const clocks = { '00:00': 50, '20:00': 10, '20:20': 50, '20:40': 100 };
    await panel.results(
      'httpget',
      Object.entries(clocks).map(([clock, mbps]) =>
        download(21, 1, `2026-01-05 ${clock}:00`, mbps),
      ),
    );
    const [point] = await total(21, { normalised: true });
    // Weights 1/6, 1/6, 1/2, 1/6 of 10, 50, 50, 100: positions 0, 0.2, 0.6, 1.
    expectClose(point!.percentiles as Row, { 10: 30, 50: 50, 80: 75 });
  });

  it('keep their precision for large values that are close together', async () => {
    await panel.results(
      'httpget',
      [0, 1, 2].map((n) => download(4, 1, `2026-01-05 0${n}:00:00`, 90_000_000 + n)),
    );
    expectClose((await total(4))[0], { stdDev: Math.sqrt(2 / 3) }, 1e-9);
    // The blocks hold 2 and 1 results: weights 1/4, 1/4, 1/2; mean 1.25, variance 0.6875.
    expectClose((await total(4, { normalised: true }))[0], { stdDev: Math.sqrt(0.6875) }, 1e-9);
  });

  it('normalised: equal weight per block of hours, in it per agent, in it per result', async () => {
    await panel.results('httpget', [
      download(5, 1, '2026-01-05 00:10:00', 10),
      download(5, 1, '2026-01-05 00:20:00', 30),
      download(5, 2, '2026-01-05 01:00:00', 40),
      download(5, 1, '2026-01-05 20:00:00', 100),
    ]);
    // Blocks 0-2 and 20-22: weights 1/8, 1/8, 1/4 and 1/2.
    const mean = (10 + 30) / 8 + 40 / 4 + 100 / 2;
    const variance =
      ((10 - mean) ** 2 + (30 - mean) ** 2) / 8 + (40 - mean) ** 2 / 4 + (100 - mean) ** 2 / 2;
    const effectiveCount = 1 / (2 / 64 + 1 / 16 + 1 / 4);
    const [point] = await total(5, { normalised: true });
    expectClose(point, {
      metricValue: mean,
      stdDev: Math.sqrt(variance),
      ci95: (1.959964 * Math.sqrt(variance)) / Math.sqrt(effectiveCount),
      sampleCount: 4,
      agentCount: 2,
      unitCount: 2,
      min: 10,
      max: 100,
      // Positions 1/16, 3/16, 6/16, 12/16; half way is 6.5/16, 0.5/6 from 40 to 100.
      median: 40 + (60 * 0.5) / 6,
    });
    // A quarter of the way is 3.75/16: 0.75/3 from 30 to 40.
    expectClose(point!.percentiles as Row, { 25: 32.5, 75: 40 + (60 * 3.25) / 6 });
  });

  it('normalised: equal plain statistics if all weights are equal', async () => {
    await panel.results(
      'httpget',
      [7, 7, 3, 9, 1].map((mbps, i) => download(6, i, `2026-01-05 0${2 * (i % 5)}:00:00`, mbps)),
    );
    expectClose((await total(6, { normalised: true }))[0], (await total(6))[0]!);
  });

  it('by agent: each household counts once, with the mean of its results', async () => {
    await panel.results('httpget', [
      download(7, 1, '2026-01-05 00:10:00', 10),
      download(7, 1, '2026-01-05 00:20:00', 20),
      download(7, 1, '2026-01-05 20:00:00', 90),
      download(7, 2, '2026-01-05 01:00:00', 100),
    ]);
    const [plain] = await total(7, { agent_agg: true });
    expectClose(plain, { metricValue: 70, min: 40, max: 100, stdDev: 30, median: 70 });
    // Student's t with one degree of freedom, and a deviation of the sample of 30 · √2.
    expectClose(plain, { sampleCount: 4, agentCount: 2 });
    expectClose(plain, { ci90: 6.313751515 * 30, ci95: 12.706204736 * 30 }, 1e-9);
    // Normalised, agent 1 is the mean of its two blocks: (15 + 90) / 2.
    const [even] = await total(7, { agent_agg: true, normalised: true });
    expectClose(even, { metricValue: 76.25, min: 52.5, max: 100, sampleCount: 4, agentCount: 2 });
    expectClose(even, { ci95: 12.706204736 * 23.75 }, 1e-9);
  });

  it('of a failure rate: the ratio of sums, in percent', async () => {
    await panel.results('dns', [
      lookup(8, 1, '2026-01-05 00:10:00', 0, 1),
      lookup(8, 1, '2026-01-05 00:20:00', 3, 0),
      lookup(8, 2, '2026-01-05 05:00:00', 2, 2),
      lookup(8, 2, '2026-01-05 05:00:01', 0, 0),
    ]);
    const [plain] = await total(8, { metric: 'dnsFail' });
    // Ratios 100, 0, 50 with weights 1/8, 3/8, 4/8.
    const variance = (62.5 ** 2 + 3 * 37.5 ** 2 + 4 * 12.5 ** 2) / 8;
    expectClose(plain, {
      metricValue: 37.5,
      stdDev: Math.sqrt(variance),
      ci90: 1.644854 * Math.sqrt(variance * ((1 + 9 + 16) / 64)),
      sampleCount: 3,
      agentCount: 2,
      min: 0,
      max: 100,
      // Sorted 0, 50, 100: positions 1.5, 5, 7.5 of 8; half way is 4.5.
      median: (50 * 3) / 3.5,
    });
    const [even] = await total(8, { metric: 'dnsFail', normalised: true });
    // Block 0: 1 of 4 failed; block 5: 2 of 4.
    expectClose(even, { metricValue: (25 + 50) / 2, sampleCount: 3 });
    const [households] = await total(8, { metric: 'dnsFail', agent_agg: true });
    expectClose(households, { metricValue: 37.5, stdDev: 12.5, min: 25, max: 50 });
    expectClose(households, { ci95: 12.706204736 * 12.5 }, 1e-9);
  });

  it('of equal results are that result, whatever the rounding error of their mean', async () => {
    const day = (n: number) => `2026-01-${String(n).padStart(2, '0')}`;
    const clock = (i: number) => new Date(i * 120_000).toISOString().slice(11, 19);
    const rows = [1, 2, 3, 4, 5, 6].flatMap((n) =>
      Array.from({ length: 600 + 9 * n }, (_, i) =>
        download(9, 1 + (i % 7), `${day(n)} ${clock(i)}`, 70.101),
      ),
    );
    await panel.results('httpget', rows);
    const daily = { aggregation: 'daily' };
    for (const changes of [{}, { normalised: true }]) {
      const points = await total(9, { ...daily, ...changes });
      expect(points).to.have.length(6);
      for (const point of points) {
        expect(point).to.include({ metricValue: 70.101, min: 70.101, max: 70.101 });
      }
    }
    const counted = [
      {},
      { normalised: true },
      { agent_agg: true },
      { agent_agg: true, normalised: true },
      { household: { statistic: 'median' } },
      { metric: 'httpget', household: { statistic: 'mean', trim: [1, 99] } },
    ];
    for (const changes of counted) {
      const request = { ...daily, ...changes };
      const [share] = await total(9, { ...request, overBuckets: { atLeast: 70.101 } });
      expect(share, JSON.stringify(changes)).to.deep.include({ bucketShare: 1, bucketCount: 6 });
      // All days are equal, so the first is the busiest.
      const [busiest] = await total(9, { ...request, overBuckets: 'busiest' });
      expect(busiest?.dtime, JSON.stringify(changes)).to.equal(day(1));
    }
  });

  it('count results and households at a threshold, both rounded to nine decimals', async () => {
    // 100 · 2.3 / 10 is 22.999999999999996 in doubles.
    const advertised = { custom: { advertised: '10' }, custom_number_keys: ['advertised'] };
    await panel.agents({ agent: 61, ...advertised }, { agent: 62, ...advertised });
    await panel.results('httpget', [
      download(10, 61, '2026-01-05 00:10:00', 2.3),
      download(10, 61, '2026-01-05 00:20:00', 2.3),
      download(10, 62, '2026-01-05 00:30:00', 2),
    ]);
    const thresholds = [20, 23, 23.0000000004, 23.000000001];
    const relativeTo = { field: 'custom.advertised', of: 'result' };
    for (const normalised of [false, true]) {
      const shares = { thresholds, of: 'results' };
      const [point] = await total(10, { normalised, relativeTo, shares });
      const reached = normalised ? 1 / 2 : 2 / 3;
      expectClose(point?.shares as Row, {
        20: 1,
        23: reached,
        23.0000000004: reached,
        23.000000001: 0,
      });
    }
    const household = { statistic: 'mean' };
    const [point] = await total(10, { household, relativeTo, shares: thresholds });
    expectClose(point?.shares as Row, { 20: 1, 23: 0.5, 23.0000000004: 0.5, 23.000000001: 0 });
  });
});

/** Compares each expected number with a relative precision. */
function expectClose(actual: Row | undefined, expected: Row, precision = 1e-12): void {
  for (const [name, value] of Object.entries(expected)) {
    const got = actual?.[name];
    if (typeof value !== 'number') continue;
    expect(got, name).to.be.a('number');
    expect(got, name).to.be.closeTo(value, Math.max(1, Math.abs(value)) * precision);
  }
}
