import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { lockTable } from '../../shared/postgres/lock-table.ts';
import { withAdvisoryLock } from '../../shared/postgres/with-advisory-lock.ts';
import type { ExportRecord } from './export-record.ts';
import { recordColumns } from './find-export.ts';

const endedPerBatch = 500;

/** An export that has ended, for the audit. */
export interface EndedExport extends Pick<
  ExportRecord,
  | 'id'
  | 'organisationId'
  | 'kind'
  | 'destination'
  | 'status'
  | 'rows'
  | 'bytes'
  | 'sha256'
  | 'failureCode'
  | 'createdAt'
  | 'finishedAt'
> {
  readonly tokenId: number;
  readonly request: unknown;
  readonly rowsRead: number;
  readonly bytesRead: number;
}

/**
 * Passes the exports that have ended to `write`, and marks them as audited when it has resolved. If the
 * process is killed in between, they are written again: at least once. The lock is for other replicas.
 */
export async function auditEndedExports(
  database: Database,
  write: (ended: readonly EndedExport[]) => Promise<void>,
): Promise<void> {
  await withAdvisoryLock(database, lockTable.auditOfExports(), async (transaction) => {
    const ended = await transaction('exports')
      .whereNull('audited_at')
      .whereNot({ status: 'running' })
      .orderBy('finished_at')
      .limit(endedPerBatch)
      .select<EndedExport[]>(endedColumns);
    if (ended.length === 0) return;
    await write(ended);
    const ids = ended.map(({ id }) => id);
    await transaction('exports').whereIn('id', ids).update({ audited_at: transaction.fn.now() });
  });
}

const endedColumns = {
  id: recordColumns.id,
  organisationId: recordColumns.organisationId,
  kind: recordColumns.kind,
  destination: recordColumns.destination,
  status: recordColumns.status,
  rows: recordColumns.rows,
  bytes: recordColumns.bytes,
  sha256: recordColumns.sha256,
  failureCode: recordColumns.failureCode,
  createdAt: recordColumns.createdAt,
  finishedAt: recordColumns.finishedAt,
  tokenId: 'token_id',
  request: 'request',
  rowsRead: 'rows_read',
  bytesRead: 'bytes_read',
} as const satisfies Record<keyof EndedExport, string>;
