import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { ExportRecord } from './export-record.ts';

export async function findExport(
  database: Database,
  id: string,
): Promise<ExportRecord | undefined> {
  // Postgres throws an error if the text is not a UUID.
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return undefined;
  return database('exports').where({ id }).first<ExportRecord | undefined>(recordColumns);
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
  createdAt: 'created_at',
  finishedAt: 'finished_at',
  expiresAt: 'expires_at',
} as const satisfies Record<keyof ExportRecord, string>;
