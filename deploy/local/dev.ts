import { messagesOf } from '../../services/shared/errors/messages-of.ts';
import { type ChildProcess, spawn } from 'node:child_process';
import { utimesSync, watch } from 'node:fs';
import { join } from 'node:path';
import { writeContracts } from '../../openapi/write-contracts.ts';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { banner } from './banner.ts';
import { serveExplorer } from './serve-explorer.ts';
import { spawnSupervisor } from './spawn-supervisor.ts';
import { devStackOptions } from './stack-options.ts';
import { stopChild } from './stop-child.ts';

// `make dev`: the stack in watch mode, until Ctrl-C. The compiler writes changed modules to dist/, Node
// restarts the services that import them, and Vite serves the explorer. The stores keep running.

const print = (line: string) => process.stdout.write(`${line}\n`);
const children: ChildProcess[] = [];

try {
  const options = devStackOptions();
  const { explorer, queryInspect, metadataInspect, ingestInspect } = options.dev;
  const stack = await spawnSupervisor(options, print);
  const vite = await serveExplorer(explorer, stack.env.QUERY_URL ?? '');
  const contracts = watch(join(repositoryRoot, 'openapi'), restartServices);
  print(banner(stack.env, stack.clickhouse));
  print(`The explorer with hot reload: http://127.0.0.1:${explorer}/explorer/`);
  print(
    `Debugger ports: query service ${queryInspect}, metadata service ${metadataInspect}, ingestion service ${ingestInspect}`,
  );
  print('Ctrl-C stops everything. The logs of the services follow.\n');
  const logs = ['query', 'metadata', 'ingest'].map((name) =>
    join(options.stateDir, 'log', `${name}.log`),
  );
  run('tail', ['--quiet', '--lines=0', '--follow=name', ...logs]);
  const compiler = join(repositoryRoot, 'node_modules/typescript/bin/tsc');
  run(process.execPath, [compiler, '--watch', '--preserveWatchOutput']);
  const failure = await stack.ended;
  contracts.close();
  await vite.close();
  if (failure !== undefined) throw new Error(failure);
  print('\nStopped.');
} catch (error) {
  process.stderr.write(`${messagesOf(error)}\n`);
  process.exitCode = 1;
} finally {
  await Promise.all(children.map((child) => stopChild(child)));
}

function run(command: string, args: readonly string[]): void {
  children.push(spawn(command, args, { cwd: repositoryRoot, stdio: 'inherit' }));
}

/** The services read the contracts on start, and Node watches only modules. */
function restartServices(_event: string, file: string | null): void {
  if (!file?.endsWith('.yaml')) return;
  try {
    writeContracts();
  } catch (error) {
    // An editor may have saved half of a change.
    print(`openapi/${file}: ${(error as Error).message}`);
    return;
  }
  const now = new Date();
  for (const name of ['query', 'metadata', 'ingest']) {
    utimesSync(join(repositoryRoot, `dist/services/${name}/main.js`), now, now);
  }
}
