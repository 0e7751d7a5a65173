import { expect } from 'chai';
import { pendingClickHouseMigrations } from '../../../services/schema/clickhouse/migrate-clickhouse.ts';
import { pendingPostgresMigrations } from '../../../services/schema/postgres/migrate-postgres.ts';
import { queryRows } from '../../../services/shared/clickhouse/query-rows.ts';
import {
  type IsolatedStores,
  isolatedStores,
  migratedStores,
} from '../../support/isolated-stores.ts';

// Tests use copies of databases that were migrated once. They must be the same as after a migration.
describe('the isolated stores of a test', () => {
  let copied: IsolatedStores;
  let migrated: IsolatedStores;

  before(async () => {
    copied = await isolatedStores();
    migrated = await migratedStores();
  });
  after(async () => {
    await copied.close();
    await migrated.close();
  });

  it('have no pending migrations', async () => {
    expect(await pendingPostgresMigrations(copied.database)).to.deep.equal([]);
    expect(await pendingClickHouseMigrations(copied.clickhouse)).to.deep.equal([]);
  });

  it('have the ClickHouse objects of a migration', async () => {
    const objects = await objectsOf(copied);
    expect(objects).to.have.length.greaterThan(90);
    expect(objects).to.deep.equal(await objectsOf(migrated));
  });

  it('have the rows of a migration, and the same time zones in the dictionary', async () => {
    const rows = await rowCounts(copied);
    expect(Object.keys(rows)).to.include('timezone_offset_source');
    expect(rows).to.deep.equal(await rowCounts(migrated));
  });

  it('have the Postgres tables, functions and policies of a migration', async () => {
    const schema = await postgresSchema(copied);
    expect(schema).to.have.length.greaterThan(100);
    expect(schema).to.deep.equal(await postgresSchema(migrated));
  });
});

async function objectsOf({ clickhouse, env }: IsolatedStores): Promise<readonly string[]> {
  const objects = await queryRows<{ sql: string }>(
    clickhouse,
    `SELECT concat(name, ': ', create_table_query) AS sql FROM system.tables
    WHERE database = currentDatabase() ORDER BY name`,
  );
  return objects.map(({ sql }) => sql.replaceAll(env.CLICKHOUSE_DATABASE!, 'database'));
}

/**
 * By table; also those of the dictionary, which is loaded from two of them. Without the data version that a migration
 * adds with its time zones: copies have no stored responses.
 */
async function rowCounts({ clickhouse }: IsolatedStores): Promise<Record<string, string>> {
  const rows = await queryRows<{ name: string; found: string }>(
    clickhouse,
    `SELECT table AS name, toString(sum(rows)) AS found FROM system.parts
    WHERE database = currentDatabase() AND active AND table != 'data_versions' GROUP BY table
    UNION ALL
    SELECT 'dictionary', toString(element_count) FROM system.dictionaries
    WHERE database = currentDatabase() AND name = 'timezone_span'`,
  );
  return Object.fromEntries(rows.map(({ name, found }) => [name, found]));
}

async function postgresSchema({ database }: IsolatedStores): Promise<readonly string[]> {
  const { rows } = await database.raw<{ rows: { text: string }[] }>(
    `select concat_ws(' ', table_name, column_name, data_type, column_default) as text
       from information_schema.columns where table_schema = 'public'
     union all select indexdef from pg_indexes where schemaname = 'public'
     union all select concat_ws(' ', tablename, policyname, qual, with_check) from pg_policies
     union all select pg_get_functiondef(p.oid) from pg_proc p
       join pg_namespace n on n.oid = p.pronamespace and n.nspname = 'public' and p.prokind = 'f'
     union all select concat_ws(' ', grantee, table_name, privilege_type)
       from information_schema.role_table_grants where table_schema = 'public'
     order by 1`,
  );
  return rows.map(({ text }) => text);
}
