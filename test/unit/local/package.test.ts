import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readEnvFile } from '../../../services/shared/config/env-file.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { freePorts } from '../../support/free-ports.ts';
import { runProgram } from '../../support/run-program.ts';

// The README promises what happens here: the stack without a checkout, and its first queries.
describe('the package of the local stack, in an empty folder', () => {
  const folder = mkdtempSync(join(tmpdir(), 'netpanel-package-'));
  const home = join(folder, 'home');
  const work = join(folder, 'work');
  let env: Readonly<Record<string, string>>;
  let tarball: string;

  const npx = (...args: readonly string[]) =>
    runProgram('npx', ['--yes', `./${tarball}`, ...args], { cwd: work, env });

  before(async () => {
    for (const path of [home, work]) mkdirSync(path);
    const script = join(repositoryRoot, 'deploy/release/local-package.sh');
    const built = await runProgram('bash', [script, work]);
    expect(built.code, built.stderr).to.equal(0);
    [tarball = ''] = readdirSync(work);
    // npx installs into its cache: a new one, with the downloads of this machine.
    const { stdout: cache } = await runProgram('npm', ['config', 'get', 'cache']);
    mkdirSync(join(home, '.npm'));
    symlinkSync(join(cache.trim(), '_cacache'), join(home, '.npm/_cacache'));
    const ports = await freePorts(variables.length);
    env = {
      PATH: process.env.PATH!,
      HOME: home,
      ...Object.fromEntries(variables.map((variable, i) => [variable, String(ports[i])])),
    };
  });
  after(async () => {
    await npx('down');
    rmSync(folder, { recursive: true });
  });

  it('starts with one command, and keeps its data in ~/.netpanel', async () => {
    expect(tarball).to.match(/^netpanel-local-\d+\.\d+\.\d+\.tgz$/);
    const { code, stdout, stderr } = await npx('up');
    expect(code, stderr + stdout).to.equal(0);
    expect(stdout).to.include('These addresses and tokens are in ~/.netpanel/env.');
    expect(stdout).to.include(`npx ./${tarball} down stops it.`);
    expect(readdirSync(work)).to.deep.equal([tarball]);
    expect(readdirSync(join(home, '.netpanel'))).to.include.members(['clickhouse', 'postgres']);
    // Nothing of the checkout, nor of the cache of npx, which unpacks the package again for each command.
    const { stdout: processes } = await runProgram('ps', ['-A', '-o', 'args=']);
    const own = processes.split('\n').filter((line) => line.includes(home));
    expect(own).to.have.length.greaterThan(5);
    const elsewhere = new RegExp(`${repositoryRoot}/dist|_npx`);
    expect(own.filter((line) => elsewhere.test(line))).to.deep.equal([]);
  });

  it('answers the first queries of the README, with the tools of busybox where it is installed', async () => {
    const readme = readFileSync(join(repositoryRoot, 'README.md'), 'utf8');
    const [, block = ''] = /^## First query$.*?```sh\n(.*?)```/ms.exec(readme) ?? [];
    const commands = block
      .replace('. .local/env', '. ~/.netpanel/env')
      .trim()
      .split(/\n\n# .*\n/);
    expect(commands).to.have.length(6);
    const { stdout, stderr } = await runInBusybox(commands.join(`\necho; echo '${separator}'\n`));
    const [, byIsp, csv, household, changed, counted] = stdout.split(separator);
    expect(byIsp, stderr).to.match(/"metricValue":\s*\d/);
    expect(JSON.parse(csv!)).to.have.nested.property('data.url');
    expect(household).to.include('"package"');
    expect(changed).to.include('Metadata updated successfully');
    expect(Number(counted)).to.be.greaterThan(1000);
  });

  it('has the command line, with the addresses and tokens of the stack', async () => {
    const { code, stdout, stderr } = await npx('query', 'httpget', '--format', 'csv');
    expect(code, stderr).to.equal(0);
    expect(stdout.split('\n').length).to.be.greaterThan(5);
    expect((await npx('help')).stdout).to.match(/^ +up .*^ +down .*^ +netpanel query /ms);
  });

  it('says that it is running already, and stops', async () => {
    expect((await npx('up')).stdout).to.include('already running');
    const stopped = await npx('down');
    expect(stopped).to.include({ code: 0, stdout: 'Stopped.\n' });
    const { QUERY_URL } = readEnvFile(join(home, '.netpanel/env'));
    const error = await fetch(QUERY_URL!).catch((reason: unknown) => reason);
    expect(error).to.be.instanceOf(TypeError);
    expect((await npx('down')).stdout).to.include('Nothing to stop');
  });

  /** Only curl and the programs of busybox, which have few options beyond those of POSIX; else the shell of POSIX. */
  async function runInBusybox(script: string): Promise<{ stdout: string; stderr: string }> {
    const tools = join(folder, 'tools');
    mkdirSync(tools);
    const which = async (name: string) =>
      (await runProgram('sh', ['-c', `command -v ${name}`])).stdout.trim();
    symlinkSync(await which('curl'), join(tools, 'curl'));
    const busybox = await which('busybox');
    if (busybox !== '') await runProgram(busybox, ['--install', '-s', tools]);
    const path = busybox === '' ? process.env.PATH! : tools;
    const [shell, ...args] = busybox === '' ? ['sh'] : [busybox, 'sh'];
    const { code, ...output } = await runProgram(shell, [...args, '-euc', script], {
      env: { PATH: path, HOME: home },
    });
    expect(code, output.stderr).to.equal(0);
    return output;
  }
});

const separator = '--- next';
const variables = ['QUERY', 'METADATA', 'INGEST']
  .flatMap((name) => [`${name}_PORT`, `${name}_OPS_PORT`])
  .concat('CLICKHOUSE_PORT', 'POSTGRES_PORT');
