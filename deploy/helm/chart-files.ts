import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ingestSettings } from '../../services/ingest/config.ts';
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
    // Helm cannot read files outside of the chart.
    ['files/alerts.yaml', deployFile('prometheus/alerts.yaml')],
    ['files/dashboard.json', deployFile('grafana/dashboard.json')],
  ]);
}

export function chartFile(name: string): string {
  return readFileSync(join(chartFolder, name), 'utf8');
}

function deployFile(name: string): string {
  return readFileSync(join(repositoryRoot, 'deploy', name), 'utf8');
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
  'INGEST_PORT',
  'INGEST_OPS_PORT',
  'EXPORT_FOLDER',
  'EXPLORER_MAP_FILE',
  'EXPLORER_MAP_FIELD',
  'EXPLORER_MAP_PROPERTY',
];

interface ObjectSchema {
  readonly type: 'object';
  readonly additionalProperties: false;
  readonly properties: Readonly<Record<string, object>>;
}

interface Schema {
  readonly $defs: Record<string, object> & { readonly service: ObjectSchema };
  readonly properties: Record<string, object>;
}

/** The services of the chart: their settings, and the values that only one of them has. */
const chartServices = {
  query: { settings: querySettings, own: ['exports', 'exportLinks', 'map'] },
  metadata: { settings: metadataSettings, own: [] },
  ingest: { settings: ingestSettings, own: [] },
} as const satisfies Record<string, { settings: SettingsTable; own: readonly string[] }>;

/** Adds the settings of the services, so that a misspelt one is rejected before the installation. */
function schemaWithSettings(text: string): string {
  const schema = JSON.parse(text) as Schema;
  for (const [name, { settings, own }] of Object.entries(chartServices)) {
    schema.$defs[`${name}Settings`] = settingsSchema(settings);
    schema.properties[name] = {
      ...schema.$defs.service,
      description: `The ${name} service.`,
      properties: {
        ...schema.$defs.service.properties,
        settings: { $ref: `#/$defs/${name}Settings` },
        ...Object.fromEntries(own.map((value) => [value, { $ref: `#/$defs/${value}` }])),
      },
    };
  }
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
