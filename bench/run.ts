import { mkdirSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { repositoryRoot } from '../services/shared/repository-root.ts';
import { localStack, stopLocalStack } from '../test/support/local-stack.ts';
import type { Bench, Section } from './bench.ts';
import { type Figure, meetsTarget } from './measure/figure.ts';
import { type BenchPanel, benchPanel } from './panel/bench-panel.ts';
import { printTable } from './print-table.ts';
import { growth } from './sections/growth.ts';
import { loading } from './sections/loading.ts';
import { metadata } from './sections/metadata.ts';
import { mixedLoad } from './sections/mixed-load.ts';
import { overhead } from './sections/overhead.ts';
import { peers } from './sections/peers.ts';
import { ratios } from './sections/ratios.ts';
import { streaming } from './sections/streaming.ts';

// Measures, prints a table, and writes bench/results.json:
//   node dist/bench/run.js overhead streaming --rows 5000000 --rounds 6 --short-query-rounds 80
// All sections unless some are named. It tells what misses its target and never fails for it:
// figures of a shared machine are for people to judge.

/** Loading empties the table of results, so it comes last. */
const sections: Readonly<Record<string, Section>> = {
  overhead,
  streaming,
  growth,
  ratios,
  peers,
  metadata,
  load: mixedLoad,
  loading,
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rows: { type: 'string', default: '5000000' },
    rounds: { type: 'string', default: '6' },
    'short-query-rounds': { type: 'string', default: '80' },
  },
});
const unknown = positionals.filter((name) => !(name in sections));
if (unknown.length > 0) {
  process.stderr.write(
    `There is no ${unknown.join(', ')}; there are ${Object.keys(sections).join(', ')}\n`,
  );
  process.exit(2);
}

const failed: string[] = [];
const figures = await measure().finally(stopLocalStack);
printTable(figures, say);
const missed = figures.filter((figure) => !meetsTarget(figure));
say(`\n${figures.length} figures, ${missed.length} miss their target`);
if (positionals.length === 0) writeResults();
process.exit(failed.length === 0 ? 0 : 1);

async function measure(): Promise<readonly Figure[]> {
  const stack = await localStack();
  let panel: Promise<BenchPanel> | undefined;
  const bench: Bench = {
    stack,
    panel: () => (panel ??= benchPanel(stack, Number(values.rows))),
    rounds: Number(values.rounds),
    shortQueryRounds: Number(values['short-query-rounds']),
    agentCounts: [1_000, 10_000, 100_000],
    loadSeconds: 60,
    say: (line) => say(`  ${line}`),
  };
  const measured: Figure[] = [];
  for (const [name, section] of Object.entries(sections)) {
    if (positionals.length > 0 && !positionals.includes(name)) continue;
    say(name);
    try {
      measured.push(...(await section(bench)));
    } catch (error) {
      // The others are still worth having; an hour's run must not end with nothing.
      failed.push(name);
      say(`  ${name} could not be measured: ${String(error)}`);
    }
  }
  return measured;
}

/** Only a run of everything is kept: figures of two runs are not to be compared. */
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
    figures: figures.map((figure) => ({ ...figure, met: meetsTarget(figure) })),
  };
  writeFileSync(join(folder, 'results.json'), `${JSON.stringify(results, null, 2)}\n`);
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
