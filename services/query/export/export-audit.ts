import type { ClickHouseClient } from '@clickhouse/client';
import { type ErrorCode, errorCodes } from '../../shared/errors/error-codes.ts';
import { PeriodicJob } from '../../shared/jobs/periodic-job.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { type AuditRow, auditTime, writeAuditRows } from '../audit/query-audit.ts';
import { storedRequest } from '../audit/request-text.ts';
import { lockTable } from '../../shared/postgres/lock-table.ts';
import { withAdvisoryLock } from '../../shared/postgres/with-advisory-lock.ts';
import { type ExportRecord, recordColumns } from './export-record.ts';

const endedPerBatch = 500;

interface Parts {
  readonly database: Database;
  readonly clickhouse: ClickHouseClient;
  readonly intervalMs: number;
  readonly logger: Logger;
}

/**
 * Writes every export to the query audit when it has ended, with the rows and bytes of its file. Also
 * exports of a killed process, which another replica has marked as failed.
 */
export function exportAudit({ database, clickhouse, intervalMs, logger }: Parts): PeriodicJob {
  return new PeriodicJob({
    // After a failure they stay unaudited in the ledger until the next run.
    run: () =>
      auditEndedExports(database, (ended) => writeAuditRows(clickhouse, ended.map(auditRow))),
    intervalMs,
    failure: 'could not write the audit of exports',
    logger,
    runsAtStop: true,
  });
}

/** An export that has ended, for the audit. */
interface EndedExport extends ExportRecord {
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
  ...recordColumns,
  tokenId: 'token_id',
  request: 'request',
  rowsRead: 'rows_read',
  bytesRead: 'bytes_read',
} as const satisfies Record<keyof EndedExport, string>;

function auditRow(ended: EndedExport): AuditRow {
  const { kind, destination, createdAt, finishedAt } = ended;
  const failure = failureOf(ended);
  return {
    occurred_at: auditTime(createdAt.getTime()),
    organisation_id: ended.organisationId,
    token_id: ended.tokenId,
    route: `POST /${kind}${destination === 'csv' ? '.csv' : '_download'}`,
    query_id: ended.id,
    request: storedRequest(ended.request),
    status: failure === undefined ? 200 : errorCodes[failure].status,
    code: failure ?? 'OK',
    rows_read: ended.rowsRead,
    bytes_read: ended.bytesRead,
    rows_returned: ended.rows,
    bytes_returned: ended.bytes,
    duration_ms: Math.max(0, (finishedAt ?? createdAt).getTime() - createdAt.getTime()),
    aborted: failure !== undefined,
  };
}

// A complete file has a hash. It was delivered even if it has been withdrawn or has expired since.
function failureOf({ sha256, status, failureCode }: EndedExport): ErrorCode | undefined {
  if (sha256 !== null) return undefined;
  return status === 'cancelled' ? 'EXPORT_CANCELLED' : (failureCode ?? 'UNKNOWN_ERROR');
}
