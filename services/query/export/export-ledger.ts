import { AppError } from '../../shared/errors/app-error.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { retryAfter } from '../../shared/http/retry-after.ts';
import type { ExportRecord, ExportStatus } from './export-record.ts';
import type { QueryCost } from '../execution/query-request.ts';
import type { FileStats } from './file-content.ts';

export interface NewExport extends Pick<
  ExportRecord,
  'id' | 'organisationId' | 'kind' | 'destination' | 'format' | 'key' | 'expiresAt'
> {
  readonly tokenId: number;
  readonly request: unknown;
  readonly runnerId: string;
}

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

/** Limits of exports over all replicas. */
export interface ExportLimits {
  readonly maxRunningExports: number;
  readonly maxRunningExportsTotal: number;
  readonly exportMaxBytesPerOrganisation: number;
}

/** The key of the advisory lock. */
const exportsLock = 7_263_545;
const auditLock = 7_263_544_104;
/** After so many missed heartbeats an export counts as lost. */
const missedHeartbeats = 10;
/** Export records are kept for so long after their link has expired. */
const retentionDays = 90;

/** The records of exports in Postgres. Updates of a running export apply only while it is running. */
export class ExportLedger {
  readonly #database: Database;
  readonly #store: string;
  readonly #lostAfterMs: number;

  /** `store`: the name of the object store whose exports are managed. */
  constructor(database: Database, store: string, heartbeatMs: number) {
    this.#database = database;
    this.#store = store;
    this.#lostAfterMs = heartbeatMs * missedHeartbeats;
  }

  /** Throws RATE_LIMITED if a limit is reached, over all replicas. */
  async begin(fresh: NewExport, limits: ExportLimits): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      const { organisationId } = fresh;
      // Without the lock, two concurrent requests could both pass the count.
      await transaction.raw('select pg_advisory_xact_lock(?)', [exportsLock]);
      const counted = await transaction('exports')
        .where({ status: 'running', swept_at: null })
        .first<{ own: number; total: number }>(
          transaction.raw('count(*) filter (where organisation_id = ?) as own', [organisationId]),
          transaction.raw('count(*) as total'),
        );
      rejectTooManyExports(counted, limits);
      const bytes = await this.#keptBytes(transaction, organisationId);
      const maxBytes = limits.exportMaxBytesPerOrganisation;
      if (bytes >= maxBytes) throw quotaExceeded(bytes, maxBytes);
      await transaction('exports').insert({
        id: fresh.id,
        organisation_id: organisationId,
        token_id: fresh.tokenId,
        kind: fresh.kind,
        destination: fresh.destination,
        format: fresh.format,
        request: JSON.stringify(fresh.request),
        store: this.#store,
        object_key: fresh.key,
        runner_id: fresh.runnerId,
        lost_at: this.#lostAt(),
        expires_at: fresh.expiresAt,
      });
    });
  }

  async setExpectedRows(id: string, rows: number): Promise<void> {
    await this.#database('exports').where({ id }).update({ expected_rows: rows });
  }

  /** The error if the files of the organisation have more bytes than allowed. */
  async quotaError(
    organisationId: number,
    { exportMaxBytesPerOrganisation: maxBytes }: ExportLimits,
  ): Promise<AppError | undefined> {
    const bytes = await this.#keptBytes(this.#database, organisationId);
    return bytes > maxBytes ? quotaExceeded(bytes, maxBytes) : undefined;
  }

  /** False if the export must stop: it was cancelled, or marked as failed because it was lost. */
  async heartbeat(id: string, { rows, bytes }: FileStats): Promise<boolean> {
    const changed = await this.#running(id).update({
      row_count: rows,
      byte_count: bytes,
      lost_at: this.#lostAt(),
    });
    return changed === 1;
  }

  /** False if it was cancelled or marked as failed in the meantime. */
  async finish(
    id: string,
    { rows, bytes, sha256 }: FileStats,
    cost: QueryCost,
    expiresAt: Date,
  ): Promise<boolean> {
    const changed = await this.#running(id).update({
      status: 'done',
      rows_read: cost.rowsRead,
      bytes_read: cost.bytesRead,
      row_count: rows,
      byte_count: bytes,
      sha256,
      finished_at: this.#database.fn.now(),
      expires_at: expiresAt,
    });
    return changed === 1;
  }

  /** False if it has already ended. */
  async fail(
    id: string,
    { code, publicMessage, errors }: AppError,
    cost: QueryCost,
  ): Promise<boolean> {
    const details = Object.values(errors ?? {}).flat();
    const changed = await this.#running(id).update({
      status: 'failed',
      rows_read: cost.rowsRead,
      bytes_read: cost.bytesRead,
      failure_code: code,
      failure_message: details.length === 0 ? publicMessage : details.join(' '),
      finished_at: this.#database.fn.now(),
    });
    return changed === 1;
  }

  /** Cancels a running export and withdraws a finished one. */
  async cancel(id: string): Promise<void> {
    await this.#database('exports')
      .where({ id })
      .whereIn('status', ['running', 'done'])
      .update({ status: 'cancelled', finished_at: this.#database.fn.now() });
  }

  async find(id: string): Promise<ExportRecord | undefined> {
    // Postgres throws an error if the text is not a UUID.
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return undefined;
    return this.#database('exports').where({ id }).first<ExportRecord | undefined>(recordColumns);
  }

  /**
   * Marks running exports without a recent heartbeat as failed, and finished exports past their expiry
   * as expired. `ownIds` run in this process: after a stall this may run before their heartbeats.
   */
  async failLost(ownIds: readonly string[]): Promise<void> {
    await this.#database('exports')
      .where({ status: 'running' })
      .whereRaw('lost_at <= now()')
      .whereNotIn('id', ownIds)
      .update({
        status: 'failed',
        failure_code: 'SERVICE_UNAVAILABLE',
        failure_message: 'The export was interrupted. Please start it again.',
        finished_at: this.#database.fn.now(),
      });
    await this.#database('exports')
      .where({ status: 'done' })
      .whereRaw('expires_at <= now()')
      .update({ status: 'expired' });
  }

  /** Exports whose files must be deleted and may still exist. */
  async unswept(): Promise<readonly { id: string; key: string }[]> {
    const deletable: ExportStatus[] = ['failed', 'cancelled', 'expired', 'erased'];
    return this.#database('exports')
      .where({ store: this.#store, swept_at: null })
      .whereIn('status', deletable)
      .orderBy('created_at')
      .limit(1_000)
      .select<{ id: string; key: string }[]>({ id: 'id', key: 'object_key' });
  }

  async markSwept(id: string): Promise<void> {
    await this.#database('exports').where({ id }).update({ swept_at: this.#database.fn.now() });
  }

  /**
   * Passes the exports that have ended to `write`, and marks them as audited when it has resolved. If the
   * process is killed in between, they are written again: at least once. The lock is for other replicas.
   */
  async auditEnded(write: (ended: readonly EndedExport[]) => Promise<void>): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      const { rows } = await transaction.raw<{ rows: [{ locked: boolean }] }>(
        'select pg_try_advisory_xact_lock(?) as locked',
        [auditLock],
      );
      if (!rows[0].locked) return;
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

  /** Deletes records past their retention period whose files have been deleted. */
  async prune(): Promise<void> {
    await this.#database('exports')
      .whereNotNull('swept_at')
      .whereRaw("expires_at < now() - ? * interval '1 day'", [retentionDays])
      .delete();
  }

  async isRunning(key: string): Promise<boolean> {
    const row = await this.#database('exports')
      .where({ object_key: key, status: 'running' })
      .first<{ id: string } | undefined>('id');
    return row !== undefined;
  }

  /** The size of the files in the store. A running export counts with the size of its last heartbeat. */
  async #keptBytes(database: Database, organisationId: number): Promise<number> {
    const kept = await database('exports')
      .where({ organisation_id: organisationId, store: this.#store, swept_at: null })
      .first<{ bytes: number }>(database.raw('coalesce(sum(byte_count), 0)::bigint as bytes'));
    return kept.bytes;
  }

  #lostAt() {
    return this.#database.raw("now() + ? * interval '1 millisecond'", [this.#lostAfterMs]);
  }

  #running(id: string) {
    return this.#database('exports').where({ id, status: 'running' });
  }
}

const recordColumns = {
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

const endedPerBatch = 500;

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

function rejectTooManyExports(
  { own, total }: { readonly own: number; readonly total: number },
  { maxRunningExports, maxRunningExportsTotal }: ExportLimits,
): void {
  if (own >= maxRunningExports) {
    throw limitReached(
      `Your organisation already has ${maxRunningExports} running exports, the maximum. Please retry when one has ended.`,
      5,
    );
  }
  if (total >= maxRunningExportsTotal) {
    throw limitReached(
      `The service already has ${maxRunningExportsTotal} running exports, the maximum over all organisations. Please retry when one has ended.`,
      5,
    );
  }
}

function quotaExceeded(bytes: number, maxBytes: number): AppError {
  return limitReached(
    `Your organisation's export files have ${bytes} bytes, and the maximum is ${maxBytes}. Delete exports, or retry when some have expired.`,
    60,
  );
}

function limitReached(publicMessage: string, retryAfterS: number): AppError {
  return new AppError('RATE_LIMITED', { publicMessage, headers: retryAfter(retryAfterS) });
}
