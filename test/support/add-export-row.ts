import { randomUUID } from 'node:crypto';
import type { Database } from '../../services/shared/postgres/connect-postgres.ts';
import type { Tenant } from './tenant.ts';

/** Inserts the record of an export that no process runs, and returns its id. */
export async function addExportRow(
  database: Database,
  { organisationId }: Tenant,
  columns: Readonly<Record<string, unknown>>,
): Promise<string> {
  const id = randomUUID();
  const token = await database('api_tokens')
    .where({ organisation_id: organisationId, interface: 'data' })
    .first<{ id: number }>('id');
  await database('exports').insert({
    id,
    organisation_id: organisationId,
    token_id: token.id,
    kind: 'test_data',
    destination: 'csv',
    format: 'csv',
    request: '{}',
    object_key: `exports/${organisationId}/2026-01-01/${id}.csv`,
    runner_id: randomUUID(),
    ...columns,
  });
  return id;
}
