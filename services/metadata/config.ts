import { customLimitSettings } from '../registry/organisations/custom-limits.ts';
import { storedAnswersSizeSetting } from '../schema/clickhouse/stored-answers-size.ts';
import {
  commonSettings,
  tlsPairProblem,
  serverSettings,
} from '../shared/config/common-settings.ts';
import {
  type Environment,
  readSettings,
  type SettingValues,
} from '../shared/config/read-settings.ts';
import { setting } from '../shared/config/setting.ts';
import { retentionSettings } from './retention/retention-settings.ts';

/** Limits of changes, each with the reason for its default. */
const changeSettings = {
  databaseChangePoolMax: setting.number(
    'DATABASE_CHANGE_POOL_MAX',
    'Maximum number of Postgres connections per process for changes.',
    5,
    1,
  ),
  // A lock lets the changes of an organisation run one after another. The second one is prepared while
  // the first runs; more would only hold connections.
  maxRunningChanges: setting.number(
    'MAX_RUNNING_CHANGES',
    'Maximum number of concurrent changes per organisation and process.',
    2,
    1,
  ),
  // A change of 100,000 agents takes seconds. The two waits together are shorter than most client timeouts.
  changeQueueMs: setting.number(
    'CHANGE_QUEUE_MS',
    'How long a change over that limit is queued before the response is 429, in milliseconds.',
    20_000,
  ),
  changeLockTimeoutMs: setting.number(
    'CHANGE_LOCK_TIMEOUT_MS',
    'How long a change waits for another process that changes the organisation before the response is 429, in milliseconds.',
    10_000,
    1,
  ),
};

export const metadataSettings = {
  ...commonSettings,
  ...serverSettings,
  ...retentionSettings,
  ...changeSettings,
  ...customLimitSettings,
  storedAnswersBytes: storedAnswersSizeSetting,
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
  return readSettings(metadataSettings, environment, [tlsPairProblem]);
}
