import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { ExportStatus } from './export-record.ts';

/**
 * Marks running exports without a recent heartbeat as failed, and finished exports past their expiry
 * as expired. `ownIds` run in this process: after a stall this may run before their heartbeats.
 */
export async function failLostExports(
  database: Database,
  ownIds: readonly string[],
): Promise<void> {
  await database('exports')
    .where({ status: 'running' })
    .whereRaw('lost_at <= now()')
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
