import { join } from 'node:path';
import { ChdbLibrary } from '../../deploy/local/clickhouse/engines/native/chdb-library.ts';
import type { Engine, EngineOptions } from '../../deploy/local/clickhouse/engines/engine.ts';
import { enginePackage } from '../../deploy/local/clickhouse/engines/native/engine-package.ts';
import { startNativeEngine } from '../../deploy/local/clickhouse/engines/native/native-engine.ts';

/** The native engine with the grants of `default` in users.xml of its data folder. */
export function startEngine(options: EngineOptions): Promise<Engine> {
  const library = ChdbLibrary.open(enginePackage);
  library.disableSignalHandlers();
  const usersFile = join(options.dataDir, 'users.xml');
  const extraConfig = `<user_directories><users_xml><path>${usersFile}</path></users_xml></user_directories>`;
  return startNativeEngine(library, options, extraConfig);
}
