import {
  commonSettings,
  requireTlsPair,
  serverSettings,
} from '../shared/config/common-settings.ts';
import {
  type Environment,
  readSettings,
  type SettingValues,
} from '../shared/config/read-settings.ts';
import { setting } from '../shared/config/setting.ts';
import { retentionSettings } from './retention/retention-settings.ts';

export const metadataSettings = {
  ...commonSettings,
  ...serverSettings,
  ...retentionSettings,
  port: setting.port('METADATA_PORT', 'Port of the metadata interface.', 8081),
  opsPort: setting.port(
    'METADATA_OPS_PORT',
    'Port of health, readiness and metrics of the metadata service.',
    9081,
  ),
  corsOrigins: setting.origins(
    'CORS_ORIGINS',
    'Origins that may call the metadata interface from a browser, comma-separated; empty: none.',
  ),
};

export type MetadataConfig = SettingValues<typeof metadataSettings>;

export function readMetadataConfig(environment: Environment = process.env): MetadataConfig {
  const config = readSettings(metadataSettings, environment);
  requireTlsPair(config);
  return config;
}
