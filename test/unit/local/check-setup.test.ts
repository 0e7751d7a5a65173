import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:net';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { processLine } from '../../../deploy/local/running-process.ts';
import { devStackOptions, ownStackOptions } from '../../../deploy/local/stack-options.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { freePorts } from '../../support/free-ports.ts';

type Env = Readonly<Record<string, string | undefined>>;

const { nodeProblem, portsOf, stackProblems } = createRequire(import.meta.url)(
  join(repositoryRoot, 'deploy/local/check-setup.cjs'),
) as {
  nodeProblem: (version: string, required: string) => string | undefined;
  portsOf: (target: string, env: Env) => readonly { variable: string; port: number }[];
  stackProblems: (target: string, env: Env, stateDir: string) => Promise<readonly string[]>;
};

describe('make, before it installs and builds', () => {
  let stateDir: string;
  let env: Env;
  let listener: Server | undefined;

  beforeEach(async () => {
    stateDir = mkdtempSync(join(tmpdir(), 'netpanel-setup-'));
    const variables = portsOf('dev', {}).map(({ variable }) => variable);
    const ports = await freePorts(variables.length);
    env = Object.fromEntries(variables.map((variable, i) => [variable, String(ports[i])]));
  });
  afterEach(() => {
    listener?.close();
    listener = undefined;
    rmSync(stateDir, { recursive: true });
  });

  it('refuses a Node that is too old, by name and number', () => {
    for (const version of ['22.1.0', '20.19.0', '20.20.2', '21.0.0']) {
      expect(nodeProblem(version, '>=20.19'), version).to.equal(undefined);
    }
    for (const version of ['20.18.9', '18.20.4', '10.0.0']) {
      expect(nodeProblem(version, '>=20.19'))
        .to.include(`Node ${version} is too old`)
        .and.include('20.19 or later');
    }
  });

  it('checks the ports that the stack will use', () => {
    const checked = (target: string) => portsOf(target, process.env).map(({ port }) => port);
    const { ports, dev } = devStackOptions();
    expect(checked('run')).to.have.members(Object.values(ownStackOptions().ports));
    expect(checked('dev')).to.have.members(Object.values({ ...ports, ...dev }));
  });

  it('names a port in use and the setting that changes it', async () => {
    expect(await stackProblems('dev', env, stateDir)).to.deep.equal([]);
    await listenOn(env.POSTGRES_PORT);
    expect(await stackProblems('run', env, stateDir)).to.deep.equal([
      `Port ${env.POSTGRES_PORT} is in use: stop the process that listens on it, or set POSTGRES_PORT.`,
    ]);
  });

  it('checks the ports of Vite and the debuggers for make dev only', async () => {
    await listenOn(env.EXPLORER_DEV_PORT);
    expect(await stackProblems('run', env, stateDir)).to.deep.equal([]);
    expect(await stackProblems('dev', env, stateDir)).to.have.length(1);
  });

  it('reports its own running stack, except to make up, which is told by the stack itself', async () => {
    const supervisor = execFile('sleep', ['60']);
    try {
      await listenOn(env.QUERY_PORT);
      writeFileSync(join(stateDir, 'processes'), processLine(supervisor.pid!));
      for (const target of ['run', 'dev', 'up']) {
        const [problem, ...others] = await stackProblems(target, env, stateDir);
        expect(problem).to.include('The stack of this checkout is already running');
        expect(others).to.deep.equal([]);
      }
      writeFileSync(join(stateDir, 'supervisor.pid'), processLine(supervisor.pid!));
      expect(await stackProblems('up', env, stateDir)).to.deep.equal([]);
    } finally {
      supervisor.kill('SIGKILL');
    }
  });

  it('leaves the parts of a killed stack to the start, which stops them', async () => {
    await listenOn(env.QUERY_PORT);
    writeFileSync(
      join(stateDir, 'processes'),
      `${process.pid} of-an-ended-process\n${processLine(process.pid)}`,
    );
    expect(await stackProblems('run', env, stateDir)).to.deep.equal([]);
  });

  it('does so for every target that builds, and with the ports for run, up and dev', async () => {
    const plan = async (...args: readonly string[]) => {
      // The tests may run below another make, which passes on its flags.
      const make = promisify(execFile)('make', ['-n', '--no-print-directory', ...args], {
        cwd: repositoryRoot,
        env: { ...process.env, MAKEFLAGS: '', MAKELEVEL: '' },
        maxBuffer: 1e8,
      });
      return (await make).stdout.split('\n').map((line) => line.trim());
    };
    for (const target of ['run', 'up', 'dev']) {
      expect((await plan(target))[0]).to.equal(`node deploy/local/check-setup.cjs ${target}`);
    }
    const [first, second] = await plan('-B', 'build');
    expect([first, second]).to.deep.equal(['node deploy/local/check-setup.cjs', 'npm ci']);
  });

  function listenOn(port: string | undefined): Promise<void> {
    const server = createServer();
    listener = server;
    return new Promise((resolve) => server.listen(Number(port), '127.0.0.1', resolve));
  }
});
