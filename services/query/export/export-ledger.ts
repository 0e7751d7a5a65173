import { randomUUID } from 'node:crypto';
import { AppError, retryAfter } from '../../shared/errors/app-error.ts';
import { isUuid } from '../../shared/is-uuid.ts';
import type { Claim } from '../../shared/jobs/durable-job.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { inOrganisation } from '../../shared/postgres/in-organisation.ts';
import { lockTable } from '../../shared/postgres/lock-table.ts';
import { waitForLock } from '../../shared/postgres/with-advisory-lock.ts';
import {
  type ExportRecord,
  type ExportStatus,
  type NewExport,
  recordColumns,
} from './export-record.ts';
import type { ExportConfig } from '../settings/export-settings.ts';
import type { QueryCost } from '../execution/query-request.ts';
import type { FileStats } from './file-content.ts';
import { type ExportTask, type LostExport, storedJob } from './export-task.ts';

/** After so many missed heartbeats an export counts as lost. */
const missedHeartbeats = 10;
/** Export records are kept for so long after their link has expired. */
const retentionDays = 90;

/** A file that ends its process, or ClickHouse, every time must not be started without end. */
export const maxAttempts = 3;
/** Few at a time, so that other replicas take some as well. */
const claimedAtOnce = 2;

/** Limits of exports over all replicas. */
type ExportLimits = Pick<
  ExportConfig,
  'maxRunningExports' | 'maxRunningExportsTotal' | 'exportMaxBytesPerOrganisation'
>;

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
      const bytes = await this.#keptBytes(transaction, organisationId);
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
        job: storedJob(task),
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
    const bytes = await this.#keptBytes(this.#database, organisationId);
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

  /** For a client with a signed link, whose signature is the permission. */
  async find(id: string): Promise<ExportRecord | undefined> {
    if (!isUuid(id)) return undefined;
    const { rows } = await this.#requests.raw<{ rows: [{ organisationId: number | null }] }>(
      'select organisation_of_export(?) as "organisationId"',
      [id],
    );
    const { organisationId } = rows[0];
    return organisationId === null ? undefined : this.findOwn(organisationId, id);
  }

  /** Gives a running export to this or another process, which makes its file again. */
  async release(id: string): Promise<void> {
    await this.#running(id).update({ lost_at: this.#database.fn.now() });
  }

  /**
   * Running exports without a recent heartbeat, with their next attempt. `ownIds` run in this process: after a stall
   * this may run before their heartbeats.
   */
  async lost(ownIds: readonly string[]): Promise<readonly LostExport[]> {
    return this.#lost(ownIds)
      .where({ store: this.#store })
      .whereNotNull('job')
      .where('attempt', '<', maxAttempts)
      .orderBy('created_at')
      .limit(claimedAtOnce)
      .select<LostExport[]>(
        'id',
        'kind',
        'format',
        'request',
        'job',
        'object_key as key',
        'created_at as createdAt',
        'organisation_id as organisationId',
        'metadata_version as metadataVersion',
        this.#database.raw('attempt + 1 as attempt'),
      );
  }

  /** Until the heartbeats end. Unlike a lock of Postgres, it outlasts a restart of Postgres. */
  readonly claim: Claim<LostExport> = async ({ id, attempt }, work) => {
    const changed = await this.#lost([])
      .where({ id, attempt: attempt - 1 })
      .update({
        runner_id: this.#runnerId,
        attempt,
        lost_at: this.#lostAt(),
        row_count: 0,
        byte_count: 0,
      });
    return changed === 1 ? { result: await work() } : undefined;
  };

  /** Marks lost exports that cannot be started again as failed, and finished exports past their expiry as expired. */
  async failLost(ownIds: readonly string[]): Promise<void> {
    await this.#lost(ownIds)
      // Another store: no replica may have it any more.
      .whereRaw(
        "(job is null or attempt >= ? or (store <> ? and lost_at <= now() - interval '10 minutes'))",
        [maxAttempts, this.#store],
      )
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

  #lost(ownIds: readonly string[]) {
    return this.#database('exports')
      .where({ status: 'running' })
      .whereRaw('lost_at <= now()')
      .whereNotIn('id', ownIds);
  }

  /** The size of the files in the store. A running export counts with the size of its last heartbeat. */
  async #keptBytes(database: Database, organisationId: number): Promise<number> {
    const kept = await database('exports')
      .where({ organisation_id: organisationId, store: this.#store, swept_at: null })
      .first<{ bytes: number }>(database.raw('coalesce(sum(byte_count), 0)::bigint as bytes'));
    return kept.bytes;
  }
}

async function findExport(database: Database, id: string): Promise<ExportRecord | undefined> {
  // Postgres throws an error if the text is not a UUID.
  if (!isUuid(id)) return undefined;
  return database('exports').where({ id }).first<ExportRecord | undefined>(recordColumns);
}

/** Throws RATE_LIMITED if no further export may start. */
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
