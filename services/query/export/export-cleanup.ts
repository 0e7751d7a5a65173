import type { Knex } from 'knex';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { ExportStatus } from './export-record.ts';
import type { LostExport } from './export-task.ts';

/** A file that ends its process every time must not be started without end. */
const maxAttempts = 3;
/** Few at a time, so that other replicas take some as well. */
const claimedAtOnce = 2;

interface Claim {
  readonly ownIds: readonly string[];
  readonly store: string;
  readonly runnerId: string;
  readonly lostAt: Knex.Raw;
}

/** Takes over running exports without a recent heartbeat. Two processes never get the same one. */
export async function claimLostExports(
  database: Database,
  { ownIds, store, runnerId, lostAt }: Claim,
): Promise<readonly LostExport[]> {
  const lost = database('exports')
    .where({ status: 'running', store })
    .whereRaw('lost_at <= now()')
    .whereNotIn('id', ownIds)
    .whereNotNull('job')
    .where('attempt', '<', maxAttempts)
    .orderBy('created_at')
    .limit(claimedAtOnce)
    .forUpdate()
    .skipLocked()
    .select('id');
  return database('exports')
    .whereIn('id', lost)
    .update({
      runner_id: runnerId,
      attempt: database.raw('attempt + 1'),
      lost_at: lostAt,
      row_count: 0,
      byte_count: 0,
    })
    .returning<LostExport[]>([
      'id',
      'attempt',
      'kind',
      'format',
      'request',
      'job',
      database.raw('object_key as key'),
      database.raw('created_at as "createdAt"'),
      database.raw('organisation_id as "organisationId"'),
      database.raw('metadata_version as "metadataVersion"'),
    ]);
}

/**
 * Marks lost exports that cannot be started again as failed, and finished exports past their expiry as expired.
 * `ownIds` run in this process: after a stall this may run before their heartbeats.
 */
export async function failLostExports(
  database: Database,
  ownIds: readonly string[],
): Promise<void> {
  await database('exports')
    .where({ status: 'running' })
    .whereRaw('lost_at <= now()')
    // Another store: no replica may have it any more.
    .whereRaw("(job is null or attempt >= ? or lost_at <= now() - interval '10 minutes')", [
      maxAttempts,
    ])
    .whereNotIn('id', ownIds)
    .update({
      status: 'failed',
      failure_code: 'SERVICE_UNAVAILABLE',
      failure_message: 'The export was interrupted. Please start it again.',
      finished_at: database.fn.now(),
    });
  await database('exports')
    .where({ status: 'done' })
    .whereRaw('expires_at <= now()')
    .update({ status: 'expired' });
}

/** Exports whose files must be deleted and may still exist. */
export async function unsweptExports(
  database: Database,
  store: string,
): Promise<readonly { id: string; key: string }[]> {
  const deletable: ExportStatus[] = ['failed', 'cancelled', 'expired', 'erased'];
  return database('exports')
    .where({ store, swept_at: null })
    .whereIn('status', deletable)
    .orderBy('created_at')
    .limit(1_000)
    .select<{ id: string; key: string }[]>({ id: 'id', key: 'object_key' });
}
