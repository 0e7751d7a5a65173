import type { Database } from '../../shared/postgres/connect-postgres.ts';

/** The state of metadata snapshots, from Postgres. */
export interface SnapshotState {
  /** The last publication of any organisation; 0 if there is none. */
  readonly version: number;
  /** Seconds since it was published; null if there is none. */
  readonly ageS: number | null;
  /** Unpublished changes. */
  readonly waitingChanges: number;
  /** Age of the oldest unpublished change in seconds; 0 if there is none. */
  readonly lagS: number;
}

export async function snapshotState(database: Database): Promise<SnapshotState> {
  const { rows } = await database.raw<{ rows: [SnapshotState] }>(
    `select coalesce(max(published.publication), 0)::integer as version,
            extract(epoch from clock_timestamp() - max(published.published_at))::float8 as "ageS",
            max(waiting.changes)::integer as "waitingChanges",
            max(waiting.lag_s)::float8 as "lagS"
     from (
       select count(*) as changes,
              coalesce(extract(epoch from clock_timestamp() - min(recorded_at)), 0) as lag_s
       from snapshot_outbox
     ) as waiting
     left join snapshot_organisations published on true`,
  );
  return rows[0];
}
