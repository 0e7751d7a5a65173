import { commonSettings, serverSettings } from '../shared/config/common-settings.ts';
import {
  type Environment,
  readSettings,
  type SettingValues,
} from '../shared/config/read-settings.ts';
import { setting } from '../shared/config/setting.ts';

export const querySettings = {
  ...commonSettings,
  ...serverSettings,
  port: setting.port('QUERY_PORT', 'Port of the data interface.', 8080),
  opsPort: setting.port('QUERY_OPS_PORT', "Port of the query service's health and figures.", 9080),
};

export type QueryConfig = SettingValues<typeof querySettings>;

export function readQueryConfig(environment: Environment = process.env): QueryConfig {
  return readSettings(querySettings, environment);
}
