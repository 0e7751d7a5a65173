import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { metadataSettings } from '../../services/metadata/config.ts';
import { querySettings } from '../../services/query/config.ts';
import type { SettingsTable } from '../../services/shared/config/read-settings.ts';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { chartReadme } from './chart-readme.ts';

export const chartFolder = join(repositoryRoot, 'deploy/helm/netpanel');

/** The expected content of the chart's generated files, by name. */
export function chartFiles(): ReadonlyMap<string, string> {
  return new Map([
    ['README.md', chartReadme(chartFile('values.yaml'))],
    ['values.schema.json', schemaWithSettings(chartFile('values.schema.json'))],
  ]);
}

export function chartFile(name: string): string {
  return readFileSync(join(chartFolder, name), 'utf8');
}

/** Variables that the chart sets from other values than `settings`. */
export const chartSettings: readonly string[] = [
  'DATABASE_URL',
  'CLICKHOUSE_URL',
  'CLICKHOUSE_DATABASE',
  'CLICKHOUSE_CLUSTER',
  'CLICKHOUSE_USER',
  'CLICKHOUSE_PASSWORD',
  'HOST',
  'STOP_GRACE_MS',
  'TLS_CERT_FILE',
  'TLS_KEY_FILE',
  'QUERY_PORT',
  'QUERY_OPS_PORT',
  'METADATA_PORT',
  'METADATA_OPS_PORT',
];

interface Schema {
  $defs: Record<string, object>;
}

/** Adds the settings of the services, so that a misspelt one is rejected before the installation. */
function schemaWithSettings(text: string): string {
  const schema = JSON.parse(text) as Schema;
  schema.$defs.querySettings = settingsSchema(querySettings);
  schema.$defs.metadataSettings = settingsSchema(metadataSettings);
  return `${JSON.stringify(schema, undefined, 2)}\n`;
}

function settingsSchema(settings: SettingsTable): object {
  const settable = Object.values(settings)
    // A secret in the values would be readable in the Helm release.
    .filter(({ name, secret }) => !secret && !chartSettings.includes(name))
    .map(({ name, about }) => [name, { $ref: '#/$defs/setting', description: about }]);
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(settable) as object,
  };
}
