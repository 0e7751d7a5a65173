import { ingestSettings } from '../../../services/ingest/config.ts';
import { metadataSettings } from '../../../services/metadata/config.ts';
import { querySettings } from '../../../services/query/config.ts';
import { readSettings } from '../../../services/shared/config/read-settings.ts';
import type { Container } from './rendered-chart.ts';

const tables = { query: querySettings, metadata: metadataSettings, ingest: ingestSettings };

/** The settings of the container's service. */
export function tableOf(container: Container | undefined) {
  return tables[container?.name as keyof typeof tables];
}

/** The settings that the service in the pod reads; secrets have a placeholder value. */
export function settingsOf(container: Container | undefined) {
  return readSettings(tableOf(container), environmentOf(container));
}

export function environmentOf(container: Container | undefined): Record<string, string> {
  const variables = container?.env ?? [];
  return Object.fromEntries(
    variables.map(({ name, value }) => [
      name,
      value ?? 'postgres://a-secret-of-32-or-more-letters',
    ]),
  );
}
