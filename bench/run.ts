import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryRoot } from '../services/shared/repository-root.ts';
import { localStack, stopLocalStack } from '../test/support/local-stack.ts';
import type { Bench, Section } from './bench.ts';
import { type Measurement, meetsTarget } from './measure/measurement.ts';
import { type BenchPanel, benchPanel } from './panel/bench-panel.ts';
import { printTable } from './print-table.ts';
import { comparisons } from './sections/comparisons.ts';
import { dashboards } from './sections/dashboards.ts';
import { growth } from './sections/growth.ts';
import { ingest } from './sections/ingest.ts';
import { loading } from './sections/loading.ts';
import { metadata } from './sections/metadata.ts';
import { mixedLoad } from './sections/mixed-load.ts';
import { neighbours } from './sections/neighbours.ts';
import { overhead } from './sections/overhead.ts';
import { peers } from './sections/peers.ts';
import { ratios } from './sections/ratios.ts';
import { reports } from './sections/reports.ts';
import { streaming } from './sections/streaming.ts';
import { warm } from './sections/warm.ts';

// Runs benchmarks, prints a table, and writes bench/results.json:
//   node dist/bench/run.js overhead streaming --rows 5000000 --days 60 --rounds 6 --short-query-rounds 80
// Default: all sections. It reports missed targets but does not fail, because results on a shared machine
// vary.

/** The section loading truncates the table of results, so it comes last. */
const sections: Readonly<Record<string, Section>> = {
  overhead,
  streaming,
  growth,
  ratios,
  reports,
  comparisons,
  warm,
  dashboards,
  neighbours,
  peers,
  metadata,
  load: mixedLoad,
  ingest,
  loading,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: '5000000' },
    days: { type: 'string', default: '60' },
    rounds: { type: 'string', default: '6' },
    'short-query-rounds': { type: 'string', default: '80' },
  },
});
const unknown = positionals.filter((name) => !(name in sections));
if (unknown.length > 0) {
  process.stderr.write(
    `Unknown section: ${unknown.join(', ')}. Allowed: ${Object.keys(sections).join(', ')}.\n`,
  );
  process.exit(2);
}

const failed: string[] = [];
const measurements = await measure().finally(stopLocalStack);
printTable(measurements, print);
const missed = measurements.filter((measurement) => !meetsTarget(measurement));
print(`\n${measurements.length} measurements, ${missed.length} miss their target`);
if (positionals.length === 0) writeResults();
process.exit(failed.length === 0 ? 0 : 1);

async function measure(): Promise<readonly Measurement[]> {
  const stack = await localStack();
  let panel: Promise<BenchPanel> | undefined;
  const bench: Bench = {
    stack,
    panel: () => (panel ??= benchPanel(stack, Number(values.rows), Number(values.days))),
    rounds: Number(values.rounds),
    shortQueryRounds: Number(values['short-query-rounds']),
    agentCounts: [1_000, 10_000, 100_000],
    loadSeconds: 60,
    print: (line) => print(`  ${line}`),
  };
  const measured: Measurement[] = [];
  for (const [name, section] of Object.entries(sections)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    print(name);
    try {
      measured.push(...(await section(bench)));
    } catch (error) {
      // The other sections still run: a failure must not discard an hour of measurements.
      failed.push(name);
      print(`  ${name} failed: ${String(error)}`);
    }
  }
  return measured;
}

/** Only a complete run is written, because measurements of different runs are not comparable. */
function writeResults(): void {
  const folder = join(repositoryRoot, 'bench');
  mkdirSync(folder, { recursive: true });
  const results = {
    measuredAt: new Date().toISOString(),
    machine: {
      cores: cpus().length,
      model: cpus()[0]?.model ?? 'unknown',
      memoryGiB: Math.round(totalmem() / 2 ** 30),
      architecture: process.arch,
      node: process.version,
    },
    rows: Number(values.rows),
    failed,
    measurements: measurements.map((measurement) => ({
      ...measurement,
      met: meetsTarget(measurement),
    })),
  };
  writeFileSync(join(folder, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
