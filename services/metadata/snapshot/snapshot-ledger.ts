import type { Knex } from 'knex';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { SnapshotContent } from './snapshot-content.ts';

/** The state of snapshots in Postgres: the outbox of changes and the last published version. */
export class SnapshotLedger {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async isChangeWaiting(): Promise<boolean> {
    return (await this.#database('snapshot_outbox').first('id')) !== undefined;
  }

  /** The planner's estimate over all organisations: it is queried every second. */
  async agentCount(): Promise<number> {
    const { rows } = await this.#database.raw<{ rows: [{ agents: number }] }>(
      `select greatest(reltuples, 0)::float8 as agents from pg_class where oid = 'agents'::regclass`,
    );
    return rows[0].agents;
  }

  /** 0 if nothing has been published. */
  async publishedVersion(): Promise<number> {
    const row = await this.#database('snapshot_published').first<{ version: number } | undefined>(
      'version',
    );
    return row?.version ?? 0;
  }

  /** Higher than all earlier versions, including those that only ClickHouse has. */
  async nextVersion(latestInClickHouse: number): Promise<number> {
    const { rows } = await this.#database.raw<{ rows: [{ version: number }] }>(
      `select setval('snapshot_version_numbers',
                     greatest(nextval('snapshot_version_numbers'), ?)) as version`,
      [latestInClickHouse + 1],
    );
    return rows[0].version;
  }

  /** Deletes published changes from the outbox, and returns how long each took, in seconds. */
  async recordPublished(
    changeIds: readonly number[],
    version: number,
    { rowCount, contentHash }: SnapshotContent,
  ): Promise<readonly number[]> {
    return this.#database.transaction(async (transaction) => {
      await transaction('snapshot_published')
        .insert({
          version,
          row_count: rowCount,
          content_hash: contentHash.toString(),
          published_at: transaction.fn.now(),
        })
        .onConflict('only_row')
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
 * The ids of the changes that a transaction sees. Not "up to the highest id": a change with a lower id
 * may be committed later, and would be deleted without having been published.
 */
export async function waitingChanges(transaction: Knex.Transaction): Promise<readonly number[]> {
  return transaction<{ id: number }>('snapshot_outbox').pluck('id');
}
