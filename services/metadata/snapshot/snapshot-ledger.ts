import type { Knex } from 'knex';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { Publication } from './snapshot-content.ts';

/** The state of snapshots in Postgres: the outbox of changes and the publication of each organisation. */
export class SnapshotLedger {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Organisations with unpublished changes, the longest waiting first. */
  async waitingOrganisations(): Promise<readonly number[]> {
    return this.#database('snapshot_outbox')
      .groupBy('organisation_id')
      .orderByRaw('min(recorded_at)')
      .pluck<number[]>('organisation_id');
  }

  /** The planner's estimate over all organisations: it is queried every second. */
  async agentCount(): Promise<number> {
    const { rows } = await this.#database.raw<{ rows: [{ agents: number }] }>(
      `select greatest(reltuples, 0)::float8 as agents from pg_class where oid = 'agents'::regclass`,
    );
    return rows[0].agents;
  }

  /** The publication of every organisation; 0 if there is none. */
  async publications(): Promise<ReadonlyMap<number, number>> {
    const { rows } = await this.#database.raw<{
      rows: { organisationId: number; number: number }[];
    }>(
      `select o.id as "organisationId", coalesce(s.publication, 0) as number
       from organisations o left join snapshot_organisations s on s.organisation_id = o.id`,
    );
    return new Map(rows.map(({ organisationId, number }) => [organisationId, number]));
  }

  /** Higher than all earlier numbers, including those that only ClickHouse has. */
  async nextNumber(latestInClickHouse: number): Promise<number> {
    const { rows } = await this.#database.raw<{ rows: [{ number: number }] }>(
      `select setval('snapshot_version_numbers',
                     greatest(nextval('snapshot_version_numbers'), ?)) as number`,
      [latestInClickHouse + 1],
    );
    return rows[0].number;
  }

  /** Deletes published changes from the outbox, and returns how long each took, in seconds. */
  async recordPublished(
    { organisationId, number, content }: Publication,
    changeIds: readonly number[],
  ): Promise<readonly number[]> {
    return this.#database.transaction(async (transaction) => {
      await transaction('snapshot_organisations')
        .insert({
          organisation_id: organisationId,
          publication: number,
          row_count: content.rowCount,
          content_hash: content.contentHash.toString(),
          published_at: transaction.fn.now(),
        })
        .onConflict('organisation_id')
        .merge();
      const { rows } = await transaction.raw<{ rows: { seconds: number }[] }>(
        `delete from snapshot_outbox where id = any(?)
         returning extract(epoch from clock_timestamp() - recorded_at)::float8 as seconds`,
        [[...changeIds]],
      );
      return rows.map(({ seconds }) => seconds);
    });
  }
}

/**
 * The ids of the changes of an organisation that a transaction sees. Not "up to the highest id": a
 * change with a lower id may be committed later, and would be deleted without having been published.
 */
export async function waitingChanges(
  transaction: Knex.Transaction,
  organisationId: number,
): Promise<readonly number[]> {
  return transaction('snapshot_outbox')
    .where({ organisation_id: organisationId })
    .pluck<number[]>('id');
}
