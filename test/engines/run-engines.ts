import { join } from 'node:path';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { summaryLine, emptyTally, sumOf, type Tally } from '../runner/tally.ts';
import { numberOfWorkers } from '../runner/worker-count.ts';
import { type EngineVersion, engineVersions, testsOf } from './engine-versions.ts';
import { installClickHouse, installNode, installPostgres } from './install-engine.ts';
import { runTests } from './run-tests.ts';

// `make test-engines`: runs the tests that depend on the version of ClickHouse, Postgres or Node on each supported
// version. Needs Python, because other versions of ClickHouse are packages of PyPI. Reports versions that
// cannot be installed, and fails if none could run. Several versions run at a time, each with one stack.
//   make test-engines ENGINES="25.8 26.9"

const wanted = process.argv.slice(2);
const unknown = wanted.filter((name) => !engineVersions.some((version) => version.name === name));
if (unknown.length > 0) {
  const names = engineVersions.map(({ name }) => name).join(', ');
  process.stderr.write(`Unknown engine: ${unknown.join(', ')}. Available: ${names}.\n`);
  process.exit(2);
}

const report: string[] = [];
const tallies: Tally[] = [];
const waiting = engineVersions.filter(({ name }) => wanted.length === 0 || wanted.includes(name));
await Promise.all(Array.from({ length: numberOfWorkers() }, runWaiting));
const total = tallies.length === 0 ? { ...emptyTally, failed: 1 } : sumOf(tallies);
process.stdout.write(`\n${report.join('\n')}\n\n${summaryLine(total)}\n`);
process.exit(total.failed === 0 ? 0 : 1);

async function runWaiting(): Promise<void> {
  for (let version = waiting.shift(); version !== undefined; version = waiting.shift()) {
    const engine = await installed(version).catch((error: unknown) => error as Error);
    if (engine instanceof Error) {
      report.push(`${version.name}: not run: ${engine.message}`);
      continue;
    }
    const tally = await runTests(version.name, {
      ...engine,
      tests: testsOf(version),
      env: {
        ...{ PROPERTY_RUNS: '50', REPORT_RUNS: '25', ...process.env },
        ...{ TEST_WORKERS: '1', ...engine.env },
      },
    });
    tallies.push(tally);
    report.push(`${version.name}: ${summaryLine(tally)}${skippedNote(version)}`);
  }
}

interface InstalledEngine {
  /** The program that runs the tests. */
  readonly node: string;
  /** Settings that make the local stack use the version. */
  readonly env: Readonly<Record<string, string>>;
}

async function installed(version: EngineVersion): Promise<InstalledEngine> {
  const env = await settingsFor(version);
  const node = version.node === undefined ? process.execPath : await installNode(version.node);
  return { node, env };
}

async function settingsFor(version: EngineVersion): Promise<Readonly<Record<string, string>>> {
  const distFile = (file: string) => join(repositoryRoot, 'dist/test/engines', file);
  if (version.name === 'cluster') {
    return { CLICKHOUSE_ENGINE: distFile('cluster-engine.js'), ...version.env };
  }
  if (version.postgres !== undefined) {
    return { POSTGRES_PACKAGE: await installPostgres(version.postgres) };
  }
  if (version.package === undefined) return { CLICKHOUSE_ENGINE: 'native' };
  const folder = await installClickHouse(version.package);
  return {
    CLICKHOUSE_ENGINE: distFile('python-engine.js'),
    ENGINE_PACKAGES: folder,
    ENGINE_VERSION: `${version.name}.0`,
  };
}

function skippedNote({ without = [], skipReason }: EngineVersion): string {
  return without.length === 0 ? '' : ` (without ${without.join(', ')}: ${skipReason})`;
}
