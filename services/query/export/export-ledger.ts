import { randomUUID } from 'node:crypto';
import type { AppError } from '../../shared/errors/app-error.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { inOrganisation } from '../../shared/postgres/in-organisation.ts';
import { lockTable } from '../../shared/postgres/lock-table.ts';
import { waitForLock } from '../../shared/postgres/with-advisory-lock.ts';
import type { ExportRecord, NewExport } from './export-record.ts';
import type { QueryCost } from '../execution/query-request.ts';
import { claimLostExports, failLostExports, unsweptExports } from './export-cleanup.ts';
import {
  type ExportLimits,
  keptExportBytes,
  quotaExceeded,
  rejectTooManyExports,
} from './export-limits.ts';
import type { FileStats } from './file-content.ts';
import { type ExportTask, type LostExport, storedJob } from './export-task.ts';
import { findExport, findLinkedExport } from './find-export.ts';

/** After so many missed heartbeats an export counts as lost. */
const missedHeartbeats = 10;
/** Export records are kept for so long after their link has expired. */
const retentionDays = 90;

/** Connections by purpose, so that requests of clients do not delay the heartbeats of exports. */
export interface ExportDatabases {
  readonly requests: Database;
  readonly background: Database;
}

/** The records of exports in Postgres. Updates of a running export apply only while this process runs it. */
export class ExportLedger {
  readonly #runnerId = randomUUID();
  readonly #requests: Database;
  readonly #database: Database;
  readonly #store: string;
  readonly #lostAfterMs: number;

  /** `store`: the name of the object store whose exports are managed. */
  constructor({ requests, background }: ExportDatabases, store: string, heartbeatMs: number) {
    this.#requests = requests;
    this.#database = background;
    this.#store = store;
    this.#lostAfterMs = heartbeatMs * missedHeartbeats;
  }

  /** Throws RATE_LIMITED if a limit is reached, over all replicas. */
  async begin(task: ExportTask, fresh: NewExport, limits: ExportLimits): Promise<void> {
    const { organisationId } = task;
    await inOrganisation(this.#requests, organisationId, async (transaction) => {
      // Without the lock, two concurrent requests could both pass the count.
      await waitForLock(transaction, lockTable.startOfExports());
      const counted = await transaction('exports')
        .where({ organisation_id: organisationId, status: 'running', swept_at: null })
        .first<{ own: number; total: number }>(
          transaction.raw('count(*) as own'),
          transaction.raw('running_exports() as total'),
        );
      rejectTooManyExports(counted, limits);
      const bytes = await keptExportBytes(transaction, organisationId, this.#store);
      const maxBytes = limits.exportMaxBytesPerOrganisation;
      if (bytes >= maxBytes) throw quotaExceeded(bytes, maxBytes);
      await transaction('exports').insert({
        id: task.id,
        organisation_id: organisationId,
        token_id: fresh.tokenId,
        kind: task.kind,
        destination: fresh.destination,
        format: task.format,
        request: JSON.stringify(task.request),
        job: JSON.stringify(storedJob(task)),
        store: this.#store,
        object_key: task.key,
        metadata_version: task.metadataVersion,
        min_agents: fresh.minAgents,
        runner_id: this.#runnerId,
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
    const bytes = await keptExportBytes(this.#database, organisationId, this.#store);
    return bytes > maxBytes ? quotaExceeded(bytes, maxBytes) : undefined;
  }

  /** False if the export must stop: it was cancelled, or another replica has taken it over because it was lost. */
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

  /** Cancels a running export and withdraws a finished one, for a client of the organisation. */
  async cancel(organisationId: number, id: string): Promise<void> {
    await inOrganisation(this.#requests, organisationId, async (transaction) => {
      await transaction('exports')
        .where({ id, organisation_id: organisationId })
        .whereIn('status', ['running', 'done'])
        .update({ status: 'cancelled', finished_at: transaction.fn.now() });
    });
  }

  /** For the process that runs it. */
  outcome(id: string): Promise<ExportRecord | undefined> {
    return findExport(this.#database, id);
  }

  /** For a client of the organisation. */
  findOwn(organisationId: number, id: string): Promise<ExportRecord | undefined> {
    return inOrganisation(this.#requests, organisationId, (transaction) =>
      findExport(transaction, id),
    );
  }

  /** For a client with a signed link, which needs no token. */
  find(id: string): Promise<ExportRecord | undefined> {
    return findLinkedExport(this.#requests, id);
  }

  /** Gives a running export to the next process that asks for lost ones. */
  async release(id: string): Promise<void> {
    await this.#running(id).update({ lost_at: this.#database.fn.now() });
  }

  /** Takes over exports whose process has ended. `ownIds` run in this process. */
  claimLost(ownIds: readonly string[]): Promise<readonly LostExport[]> {
    return claimLostExports(this.#database, {
      ownIds,
      store: this.#store,
      runnerId: this.#runnerId,
      lostAt: this.#lostAt(),
    });
  }

  /** Those that cannot be started again. */
  async failLost(ownIds: readonly string[]): Promise<void> {
    await failLostExports(this.#database, ownIds);
  }

  /** Exports whose files must be deleted and may still exist. */
  unswept(): Promise<readonly { id: string; key: string }[]> {
    return unsweptExports(this.#database, this.#store);
  }

  async markSwept(id: string): Promise<void> {
    await this.#database('exports').where({ id }).update({ swept_at: this.#database.fn.now() });
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

  #lostAt() {
    return this.#database.raw("now() + ? * interval '1 millisecond'", [this.#lostAfterMs]);
  }

  #running(id: string) {
    return this.#database('exports').where({ id, status: 'running', runner_id: this.#runnerId });
  }
}
