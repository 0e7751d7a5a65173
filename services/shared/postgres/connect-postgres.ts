import knex, { type Knex } from 'knex';
import pg from 'pg';

export type Database = Knex;

// Postgres' bigint (20) comes as text by default, to be safe beyond 2^53. Our bigints are ids and
// counts that stay far below it, and a unit_id must be a JSON number.
pg.types.setTypeParser(pg.types.builtins.INT8, Number);

export function connectPostgres(databaseUrl: string, poolMax: number, name: string): Database {
  return knex({
    client: 'pg',
    connection: { connectionString: databaseUrl, application_name: name },
    pool: { min: 0, max: poolMax },
    // A request waits this long for a free connection before it fails as "temporarily unavailable".
    acquireConnectionTimeout: 10_000,
  });
}
