import type { Knex } from 'knex';
import type { Database } from '../../services/shared/postgres/connect-postgres.ts';
import { until } from './until.ts';

/**
 * Writes history of an organisation as one recorded change, past the service that would take agent
 * by agent, and waits until queries see it.
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
      .insert({ change_id: change!.id })
      .returning<{ id: number }[]>('id');
    return outbox!.id;
  });
  await until(async () => {
    const waiting: unknown = await database('snapshot_outbox').where({ id: outboxId }).first();
    return waiting === undefined;
  }, fiveMinutes);
}

/** A hundred thousand agents take half a minute, and longer on a busy machine. */
const fiveMinutes = 300_000;
