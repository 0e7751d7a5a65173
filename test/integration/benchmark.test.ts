import { expect } from 'chai';
import type { Bench } from '../../bench/bench.ts';
import type { Measurement } from '../../bench/measure/measurement.ts';
import { type BenchPanel, benchPanel } from '../../bench/panel/bench-panel.ts';
import { growth } from '../../bench/sections/growth.ts';
import { metadata } from '../../bench/sections/metadata.ts';
import { mixedLoad } from '../../bench/sections/mixed-load.ts';
import { overhead } from '../../bench/sections/overhead.ts';
import { peers } from '../../bench/sections/peers.ts';
import { ratios } from '../../bench/sections/ratios.ts';
import { streaming } from '../../bench/sections/streaming.ts';
import { localStack } from '../support/local-stack.ts';

// `make bench` in short: that everything it measures works and is measured, not how long it takes.
// Only loading is left out, which empties the table of results that others here use.
describe('the benchmark, once over a small panel', function () {
  this.timeout(300_000);
  let bench: Bench;

  before(async () => {
    const stack = await localStack();
    let panel: Promise<BenchPanel> | undefined;
    bench = {
      stack,
      panel: () => (panel ??= benchPanel(stack, 100_000)),
      rounds: 1,
      shortQueryRounds: 1,
      agentCounts: [1_000],
      loadSeconds: 2,
      print: () => undefined,
    };
  });

  it('asks the service and ClickHouse the same, in five shapes', async () => {
    expect(await measured(overhead)).to.have.length(15);
  });

  it('streams rows as JSON and into a file, and sees what memory that takes', async () => {
    const measurements = await measured(streaming);
    expect(measurements.map(({ what }) => what)).to.include('CSV against ClickHouse');
  });

  it('lets the panel grow, and asks for one day of it', async () => {
    expect(await measured(growth)).to.have.length(6);
  });

  it('normalises and splits', async () => {
    expect(await measured(ratios)).to.have.length(5);
  });

  it('gets the same answers from Postgres and DuckDB', async () => {
    expect(await measured(peers)).to.have.length(6);
  });

  it('reads and changes metadata until queries see it, without an error', async () => {
    const measurements = await measured(metadata);
    expect(measurements).to.have.length(6);
    expect(valueOf(measurements, 'GET errors')).to.equal(0);
  });

  it('presses both services at once, without an error', async () => {
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
    return measurements.find((measurement) => measurement.what === what)?.value;
  }
});
