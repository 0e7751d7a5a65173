import type { Knex } from 'knex';
import type { Database } from '../../services/shared/postgres/connect-postgres.ts';
import { waitUntil } from './wait-until.ts';

/**
 * Writes an organisation's history as one recorded change, bypassing the metadata service, and waits
 * until it is published.
 */
export async function recordHistory(
  database: Database,
  organisationId: number,
  write: (transaction: Knex.Transaction, changeId: number) => Promise<void>,
): Promise<void> {
  const outboxId = await database.transaction(async (transaction) => {
    const [change] = await transaction('metadata_changes')
      .insert({ organisation_id: organisationId, request: '{}', agent_count: 1 })
      .returning<{ id: number }[]>('id');
    await write(transaction, change!.id);
    const [outbox] = await transaction('snapshot_outbox')
      .insert({ organisation_id: organisationId, change_id: change!.id })
      .returning<{ id: number }[]>('id');
    return outbox!.id;
  });
  await waitUntil(async () => {
    const pending: unknown = await database('snapshot_outbox').where({ id: outboxId }).first();
    return pending === undefined;
  }, publishTimeoutMs);
}

/** 100,000 agents take half a minute, and longer on a busy machine. */
const publishTimeoutMs = 300_000;
