import type { ClickHouseClient } from '@clickhouse/client';
import { type ErrorCode, errorCodes } from '../../shared/errors/error-codes.ts';
import type { Logger } from '../../shared/logging/create-logger.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { type AuditRow, auditTime, writeAuditRows } from '../audit/query-audit.ts';
import { storedRequest } from '../audit/request-text.ts';
import { auditEndedExports, type EndedExport } from './ended-exports.ts';

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
export class ExportAudit {
  readonly #parts: Parts;
  readonly #timer: NodeJS.Timeout;
  #writing: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#timer = setInterval(() => void this.#next(), parts.intervalMs);
    this.#timer.unref();
    void this.#next();
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#next();
  }

  #next(): Promise<void> {
    this.#writing = this.#writing.then(() => this.#write());
    return this.#writing;
  }

  async #write(): Promise<void> {
    const { database, clickhouse, logger } = this.#parts;
    try {
      await auditEndedExports(database, (ended) => writeAuditRows(clickhouse, ended.map(auditRow)));
    } catch (error) {
      // They stay unaudited in the ledger until the next attempt.
      logger.warn('could not write the audit of exports', { error: String(error) });
    }
  }
}

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
