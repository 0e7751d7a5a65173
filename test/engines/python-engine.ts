import type { Engine, EngineOptions } from '../../deploy/local/clickhouse/engines/engine.ts';
import { startNativeEngine } from '../../deploy/local/clickhouse/engines/native/native-engine.ts';
import { OneSessionLibrary } from './one-session-library.ts';
import { PythonLibrary } from './python-library.ts';

/** An engine of another version for the local server, from a folder with a pip package. */
export function startEngine(options: EngineOptions): Promise<Engine> {
  const { ENGINE_PACKAGES: packages = '', ENGINE_VERSION: version = '' } = process.env;
  const library = new PythonLibrary(packages, version);
  const hasOneSession = version.startsWith('25.');
  return startNativeEngine(hasOneSession ? new OneSessionLibrary(library) : library, options);
}
