import type { Dependency } from '../http/dependency.ts';
import type { Database } from './connect-postgres.ts';

export function postgresDependency(
  database: Database,
  pendingMigrations: (database: Database) => Promise<readonly string[]>,
): Dependency {
  return {
    name: 'postgres',
    required: true,
    check: async () => {
      const pending = await pendingMigrations(database);
      if (pending.length > 0) throw new Error(`not migrated: ${pending.join(', ')}`);
      return { lagSeconds: await replayLagS(database) };
    },
  };
}

/** The replay lag if the server is a standby, otherwise 0. */
async function replayLagS(database: Database): Promise<number> {
  const { rows } = await database.raw<{ rows: [{ lagS: number }] }>(
    `select case when pg_is_in_recovery()
       then coalesce(extract(epoch from clock_timestamp() - pg_last_xact_replay_timestamp()), 0)
       else 0 end::float8 as "lagS"`,
  );
  return rows[0].lagS;
}
