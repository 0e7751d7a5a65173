import type { Knex } from 'knex';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import type { SnapshotContent } from './snapshot-content.ts';

/** What Postgres knows of the snapshots: which changes wait for one, and which version was the last. */
export class SnapshotLedger {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async isChangeWaiting(): Promise<boolean> {
    return (await this.#database('snapshot_outbox').first('id')) !== undefined;
  }

  /** Of all organisations, as good as the planner knows: this is asked every second. */
  async agentCount(): Promise<number> {
    const { rows } = await this.#database.raw<{ rows: [{ agents: number }] }>(
      `select greatest(reltuples, 0)::float8 as agents from pg_class where oid = 'agents'::regclass`,
    );
    return rows[0].agents;
  }

  /** 0 when nothing was published yet. */
  async publishedVersion(): Promise<number> {
    const row = await this.#database('snapshot_published').first<{ version: number } | undefined>(
      'version',
    );
    return row?.version ?? 0;
  }

  /** Above every earlier one, also when ClickHouse has seen versions that this database has not. */
  async nextVersion(newestInClickHouse: number): Promise<number> {
    const { rows } = await this.#database.raw<{ rows: [{ version: number }] }>(
      `select setval('snapshot_version_numbers',
                     greatest(nextval('snapshot_version_numbers'), ?)) as version`,
      [newestInClickHouse + 1],
    );
    return rows[0].version;
  }

  /** The changes are in use: forgets them, and returns how long each took, in seconds. */
  async settle(
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
 * The changes that a transaction sees, by their ids. Not "up to the highest": a change with a lower
 * number may be committed later, and would be forgotten without having been published.
 */
export async function waitingChanges(transaction: Knex.Transaction): Promise<readonly number[]> {
  return transaction<{ id: number }>('snapshot_outbox').pluck('id');
}
