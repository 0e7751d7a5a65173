import { isUuid } from '../../shared/is-uuid.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { inOrganisation } from '../../shared/postgres/in-organisation.ts';
import type { ExportRecord } from './export-record.ts';

export async function findExport(
  database: Database,
  id: string,
): Promise<ExportRecord | undefined> {
  // Postgres throws an error if the text is not a UUID.
  if (!isUuid(id)) return undefined;
  return database('exports').where({ id }).first<ExportRecord | undefined>(recordColumns);
}

/** The organisation is that of the export: the signature of the link is the permission. */
export async function findLinkedExport(
  database: Database,
  id: string,
): Promise<ExportRecord | undefined> {
  if (!isUuid(id)) return undefined;
  const { rows } = await database.raw<{ rows: [{ organisationId: number | null }] }>(
    'select organisation_of_export(?) as "organisationId"',
    [id],
  );
  const { organisationId } = rows[0];
  if (organisationId === null) return undefined;
  return inOrganisation(database, organisationId, (transaction) => findExport(transaction, id));
}

export const recordColumns = {
  id: 'id',
  organisationId: 'organisation_id',
  kind: 'kind',
  destination: 'destination',
  format: 'format',
  status: 'status',
  key: 'object_key',
  rows: 'row_count',
  bytes: 'byte_count',
  expectedRows: 'expected_rows',
  sha256: 'sha256',
  failureCode: 'failure_code',
  failureMessage: 'failure_message',
  metadataVersion: 'metadata_version',
  minAgents: 'min_agents',
  createdAt: 'created_at',
  finishedAt: 'finished_at',
  expiresAt: 'expires_at',
} as const satisfies Record<keyof ExportRecord, string>;
