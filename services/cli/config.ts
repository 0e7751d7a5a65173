import { join } from 'node:path';
import { commonSettings } from '../shared/config/common-settings.ts';
import { readEnvFile } from '../shared/config/env-file.ts';
import {
  type Environment,
  readSettings,
  type SettingsTable,
  type SettingValues,
} from '../shared/config/read-settings.ts';
import { localStack } from '../shared/local-stack.ts';

export type CliConfig = SettingValues<typeof commonSettings>;

/**
 * The environment, or that of the local stack if it has no address of a store. Never both: a command for another
 * installation must not use a store, folder or token of the local stack.
 */
export function cliEnvironment(
  environment: Environment = process.env,
  localStackFile = join(localStack.folder, 'env'),
): Environment {
  // An empty variable counts as not set.
  const given = Object.fromEntries(Object.entries(environment).filter(([, value]) => value));
  const isForAnotherStack = 'DATABASE_URL' in given || 'CLICKHOUSE_URL' in given;
  return isForAnotherStack ? given : { ...readEnvFile(localStackFile), ...given };
}

/** For what concerns the terminal, such as NO_COLOR: never from the file of the local stack. */
export function processEnvironment(): Environment {
  return process.env;
}

/** Settings of a table, for the commands that need them. */
export function cliSettings<T extends SettingsTable>(table: T): SettingValues<T> {
  return readSettings(table, cliEnvironment());
}

export function readCliConfig(): CliConfig {
  return cliSettings(commonSettings);
}
