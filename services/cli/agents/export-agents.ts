import { agentsWithMetadata, currentCustomKeys } from '../../registry/agents-with-metadata.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { csvText } from '../../results/csv/csv-text.ts';
import { agentColumns } from './parse-agent-records.ts';

/** The agents of an organisation with their current metadata, as a CSV file that can be imported. */
export async function* exportAgents(
  database: Database,
  organisationId: number,
): AsyncGenerator<string> {
  const keys = await currentCustomKeys(database, organisationId);
  yield csvText([[...agentColumns, ...keys.map((key) => `custom.${key}`)]]);
  for await (const agents of agentsWithMetadata(database, organisationId)) {
    yield csvText(
      agents.map((agent) => [
        ...agentColumns.map((column) => agent[column] as string | number | null),
        ...keys.map((key) => agent.custom?.[key] ?? null),
      ]),
    );
  }
}
