import { join } from 'node:path';
import { type CustomLimits, customLimitSettings } from '../registry/custom-limits.ts';
import { commonSettings } from '../shared/config/common-settings.ts';
import { readEnvFile } from '../shared/config/env-file.ts';
import {
  type Environment,
  readSettings,
  type SettingValues,
} from '../shared/config/read-settings.ts';
import { repositoryRoot } from '../shared/repository-root.ts';

export type CliConfig = SettingValues<typeof commonSettings>;

/** The environment, with the addresses of the local stack as defaults. */
export function cliEnvironment(): Environment {
  return { ...readEnvFile(join(repositoryRoot, '.local/env')), ...process.env };
}

/** For commands that write custom metadata. */
export function readCustomLimits(): CustomLimits {
  return readSettings(customLimitSettings, cliEnvironment());
}

export function readCliConfig(): CliConfig {
  return readSettings(commonSettings, cliEnvironment());
}
