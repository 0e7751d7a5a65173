import { AppError } from '../../shared/errors/app-error.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { retryAfter } from '../execution/to-query-error.ts';
import type { ExportRecord, ExportStatus } from './export-record.ts';
import type { FileFigures } from './file-content.ts';

export interface NewExport extends Pick<
  ExportRecord,
  'id' | 'organisationId' | 'kind' | 'destination' | 'format' | 'key' | 'expiresAt'
> {
  readonly tokenId: number;
  readonly request: unknown;
  readonly runnerId: string;
}

/** The first half of a two-part advisory lock; the organisation is the second. */
const exportsLock = 7_263_545;
/** So many heartbeats may be missed before the process counts as gone. */
const missedHeartbeats = 10;
/** What became of an export is known this long after its link has expired: for questions, not for ever. */
const rememberedDays = 90;

/** Exports as Postgres remembers them. Every change of one that runs holds only while it does. */
export class ExportLedger {
  readonly #database: Database;
  readonly #store: string;
  readonly #silenceMs: number;

  /** Of the exports in one store; a process is lost when it misses ten heartbeats. */
  constructor(database: Database, store: string, heartbeatMs: number) {
    this.#database = database;
    this.#store = store;
    this.#silenceMs = heartbeatMs * missedHeartbeats;
  }

  /** Throws RATE_LIMITED when the organisation has as many running as it may, on any replica. */
  async begin(fresh: NewExport, maxRunning: number): Promise<void> {
    await this.#database.transaction(async (transaction) => {
      const { organisationId } = fresh;
      // Two starters that count at once would both find room for one.
      await transaction.raw('select pg_advisory_xact_lock(?, ?)', [exportsLock, organisationId]);
      const [counted] = await transaction('exports')
        .where({ organisation_id: organisationId, status: 'running' })
        .count<{ count: number }[]>('* as count');
      if ((counted?.count ?? 0) >= maxRunning) throw tooManyExports(maxRunning);
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

  async expect(id: string, rows: number): Promise<void> {
    await this.#database('exports').where({ id }).update({ expected_rows: rows });
  }

  /** False when the export is not to go on: it was cancelled, or given up as lost. */
  async heartbeat(id: string, { rows, bytes }: FileFigures): Promise<boolean> {
    const changed = await this.#running(id).update({
      row_count: rows,
      byte_count: bytes,
      lost_at: this.#lostAt(),
    });
    return changed === 1;
  }

  /** False when it was cancelled or given up meanwhile: then there is no export. */
  async finish(id: string, { rows, bytes, sha256 }: FileFigures): Promise<boolean> {
    const changed = await this.#running(id).update({
      status: 'done',
      row_count: rows,
      byte_count: bytes,
      sha256,
      finished_at: this.#database.fn.now(),
    });
    return changed === 1;
  }

  /** False when it has ended already. */
  async fail(id: string, { code, publicMessage, errors }: AppError): Promise<boolean> {
    const details = Object.values(errors ?? {}).flat();
    const changed = await this.#running(id).update({
      status: 'failed',
      failure_code: code,
      failure_message: details.length === 0 ? publicMessage : details.join(' '),
      finished_at: this.#database.fn.now(),
    });
    return changed === 1;
  }

  /** Ends one that runs, and takes a finished one back. */
  async cancel(id: string): Promise<void> {
    await this.#database('exports')
      .where({ id })
      .whereIn('status', ['running', 'done'])
      .update({ status: 'cancelled', finished_at: this.#database.fn.now() });
  }

  async find(id: string): Promise<ExportRecord | undefined> {
    // Postgres does not take anything else for an id.
    if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(id)) return undefined;
    return this.#database('exports').where({ id }).first<ExportRecord | undefined>(recordColumns);
  }

  /**
   * Fails those whose process has been silent for too long, and ends those past their time. `alive` run
   * in this process: after a stall their heartbeats are late, and this may come first.
   */
  async giveUpLost(alive: readonly string[]): Promise<void> {
    await this.#database('exports')
      .where({ status: 'running' })
      .whereRaw('lost_at <= now()')
      .whereNotIn('id', alive)
      .update({
        status: 'failed',
        failure_code: 'SERVICE_UNAVAILABLE',
        failure_message: 'The export was cut off. Please start it again.',
        finished_at: this.#database.fn.now(),
      });
    await this.#database('exports')
      .where({ status: 'done' })
      .whereRaw('expires_at <= now()')
      .update({ status: 'expired' });
  }

  /** Of exports that left, or may have left, something behind which nobody may have any more. */
  async unswept(): Promise<readonly { id: string; key: string }[]> {
    const over: ExportStatus[] = ['failed', 'cancelled', 'expired'];
    return this.#database('exports')
      .where({ store: this.#store, swept_at: null })
      .whereIn('status', over)
      .orderBy('created_at')
      .limit(1_000)
      .select<{ id: string; key: string }[]>({ id: 'id', key: 'object_key' });
  }

  async swept(id: string): Promise<void> {
    await this.#database('exports').where({ id }).update({ swept_at: this.#database.fn.now() });
  }

  /** Forgets those that expired long ago, unless something of theirs may still be in a store. */
  async prune(): Promise<void> {
    await this.#database('exports')
      .whereNotNull('swept_at')
      .whereRaw("expires_at < now() - ? * interval '1 day'", [rememberedDays])
      .delete();
  }

  async isRunning(key: string): Promise<boolean> {
    const row = await this.#database('exports')
      .where({ object_key: key, status: 'running' })
      .first<{ id: string } | undefined>('id');
    return row !== undefined;
  }

  #lostAt() {
    return this.#database.raw("now() + ? * interval '1 millisecond'", [this.#silenceMs]);
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

function tooManyExports(limit: number): AppError {
  return new AppError('RATE_LIMITED', {
    publicMessage: `Your organisation is running ${limit} exports already, which is the limit. Please retry when one has ended.`,
    headers: retryAfter(5),
  });
}
