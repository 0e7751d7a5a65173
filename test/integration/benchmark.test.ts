import { expect } from 'chai';
import type { Bench } from '../../bench/bench.ts';
import type { Measurement } from '../../bench/measure/measurement.ts';
import { type BenchPanel, benchPanel } from '../../bench/panel/bench-panel.ts';
import { dashboards } from '../../bench/sections/dashboards.ts';
import { growth } from '../../bench/sections/growth.ts';
import { metadata } from '../../bench/sections/metadata.ts';
import { mixedLoad } from '../../bench/sections/mixed-load.ts';
import { overhead } from '../../bench/sections/overhead.ts';
import { peers } from '../../bench/sections/peers.ts';
import { ratios } from '../../bench/sections/ratios.ts';
import { streaming } from '../../bench/sections/streaming.ts';
import { warm } from '../../bench/sections/warm.ts';
import { localStack } from '../support/local-stack.ts';

// A short `make bench`: checks that every section works, not how fast it is. Loading is left out,
// because it empties tables that other tests use.
describe('the benchmark on a small panel', () => {
  let bench: Bench;

  before(async () => {
    const stack = await localStack();
    let panel: Promise<BenchPanel> | undefined;
    bench = {
      stack,
      panel: () => (panel ??= benchPanel(stack, 100_000)),
      rounds: 1,
      shortQueryRounds: 1,
      agentCounts: [200],
      loadSeconds: 1,
      print: () => undefined,
    };
  });

  it('compares the service with ClickHouse for five kinds of queries', async () => {
    expect(await measured(overhead)).to.have.length(25);
  });

  it('measures the speed and memory of streams and exports', async () => {
    const measurements = await measured(streaming);
    expect(measurements.map(({ what }) => what)).to.include('CSV against ClickHouse');
  });

  it('measures a one-day query on a growing panel', async () => {
    expect(await measured(growth)).to.have.length(6);
  });

  it('measures normalisation and splits', async () => {
    expect(await measured(ratios)).to.have.length(6);
  });

  it('asks again for stored answers, and with the ETag', async () => {
    expect(await measured(warm)).to.have.length(3);
  });

  it('opens dashboards of two organisations at once', async () => {
    expect(await measured(dashboards)).to.have.length(10);
  });

  it('gets the same results from Postgres and DuckDB', async () => {
    expect(await measured(peers)).to.have.length(8);
  });

  it('reads, changes and publishes metadata without errors', async () => {
    const measurements = await measured(metadata);
    expect(measurements).to.have.length(10);
    expect(valueOf(measurements, 'GET errors')).to.equal(0);
  });

  it('runs load on both services at once without errors', async () => {
    const measurements = await measured(mixedLoad);
    expect(valueOf(measurements, 'query: errors')).to.equal(0);
    expect(valueOf(measurements, 'metadata: errors')).to.equal(0);
  });

  async function measured(
    section: (bench: Bench) => Promise<readonly Measurement[]>,
  ): Promise<readonly Measurement[]> {
    const measurements = await section(bench);
    for (const { what, value } of measurements) expect(value, what).to.satisfy(Number.isFinite);
    return measurements;
  }

  function valueOf(measurements: readonly Measurement[], what: string): number | undefined {
    return measurements.find(({ what: name }) => name === what)?.value;
  }
});
