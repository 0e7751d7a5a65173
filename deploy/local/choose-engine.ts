import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { readSettings } from '../../services/shared/config/read-settings.ts';
import { setting } from '../../services/shared/config/setting.ts';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { nativeLibraryPackage } from './clickhouse/engines/native/native-library-package.ts';
import { installPackage } from './install-package.ts';

export interface EngineChoice {
  /** A path is a module that exports startEngine(), for tests. */
  readonly engine: 'native' | 'wasm' | `${string}.js`;
  /** For the banner. */
  readonly reason: string;
}

const settings = {
  engine: setting.text(
    'CLICKHOUSE_ENGINE',
    'Engine of the local ClickHouse: native, wasm, or auto (native if it runs here).',
    'auto',
  ),
};

let chosen: Promise<EngineChoice> | undefined;

/** Chooses and installs the engine for this machine, once per process. */
export function chooseEngine(): Promise<EngineChoice> {
  chosen ??= installEngine(readSettings(settings, process.env).engine);
  return chosen;
}

export function engineFolder(engine: 'native' | 'wasm'): string {
  return join(repositoryRoot, 'deploy/local/clickhouse/engines', engine);
}

/** Installs the engine, or with `auto` the native one if it runs here. */
export async function installEngine(wanted: string): Promise<EngineChoice> {
  if (wanted.endsWith('.js')) return { engine: wanted as `${string}.js`, reason: wanted };
  if (wanted === 'wasm') return wasm('CLICKHOUSE_ENGINE=wasm');
  if (wanted !== 'auto' && wanted !== 'native') {
    throw new Error(`CLICKHOUSE_ENGINE must be native, wasm or auto, not "${wanted}"`);
  }
  const problem = await nativeProblem();
  if (problem === undefined) return { engine: 'native', reason: 'on disk, parallel' };
  if (wanted === 'native') throw new Error(`The native ClickHouse does not run here: ${problem}`);
  return wasm(`the native engine does not run here: ${problem}`);
}

async function wasm(reason: string): Promise<EngineChoice> {
  await installPackage(engineFolder('wasm'));
  return { engine: 'wasm', reason };
}

/** The reason why the native engine does not run here; undefined when it does. */
async function nativeProblem(): Promise<string | undefined> {
  try {
    nativeLibraryPackage();
    await installPackage(engineFolder('native'));
    await probeNative();
    return undefined;
  } catch (error) {
    return (error as Error).message;
  }
}

const probeTimeoutMs = 60_000;

async function probeNative(): Promise<void> {
  const probe = join(repositoryRoot, 'dist/deploy/local/clickhouse/engines/native/probe.js');
  try {
    await promisify(execFile)(process.execPath, [probe], {
      timeout: probeTimeoutMs,
      killSignal: 'SIGKILL',
    });
  } catch (error) {
    const { stderr, signal } = error as { stderr?: string; signal?: string };
    const output = stderr === undefined || stderr === '' ? String(error) : stderr.trim();
    // Node prints its own version after an exception.
    const [reason] = /^\w*Error\b.*$/m.exec(output) ?? [output.split('\n').at(-1)];
    throw new Error(`its probe failed (${signal ?? 'exit code'}): ${reason}`, { cause: error });
  }
}
