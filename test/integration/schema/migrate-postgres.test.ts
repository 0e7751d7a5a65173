import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { connectPostgres } from '../../../services/shared/postgres/connect-postgres.ts';
import {
  migratePostgres,
  pendingPostgresMigrations,
} from '../../../services/schema/postgres/migrate-postgres.ts';
import { localStack } from '../../support/local-stack.ts';
import { emptyIsolatedStores } from '../../support/isolated-stores.ts';
import { newTenant } from '../../support/tenant.ts';

/** A table, function, policy, index, changed and dropped columns, and rows of what is there. */
const nextMigration = `
  create table devices (
    organisation_id  integer not null references organisations,
    state            text not null
  );
  create index on devices (organisation_id);
  create policy own_organisation on devices using (
    (select sees_all_organisations()) or organisation_id = (select current_organisation()));
  alter table devices enable row level security;
  insert into devices select id, 'is it new?' from organisations;

  alter table saved_views add column owner text;
  alter table saved_views rename column created_at to saved_at;
  alter table saved_views alter column min_agents type bigint;
  alter table saved_views drop constraint saved_views_name_check;
  drop index exports_kept;
  drop view unused_metadata_changes;
  drop trigger remove_job on exports;
  create or replace function audit_actor() returns text language sql stable as $$
    select session_user::text
  $$;
`;

describe('Postgres migrations', () => {
  it('can be started eight times at once on an empty database', async () => {
    const { database, databaseUrl } = await localStack();
    await database.raw('create database concurrent_migrations');
    const url = databaseUrl.replace(/[^/]+$/, 'concurrent_migrations');
    const connections = Array.from({ length: 8 }, () => connectPostgres(url, 2, 'migration-test'));
    try {
      const applied = await Promise.all(
        connections.map((connection) => migratePostgres(connection)),
      );
      const workers = applied.filter((names) => names.length > 0);
      expect(workers).to.have.length(1);
      expect(await pendingPostgresMigrations(connections[0]!)).to.deep.equal([]);
      expect(await migratePostgres(connections[0]!)).to.deep.equal([]);
    } finally {
      await Promise.all(connections.map((connection) => connection.destroy()));
      await database.raw('drop database concurrent_migrations');
    }
  });

  it('continue after a kill that left the lock of knex behind', async () => {
    const { database, clickhouse } = await emptyIsolatedStores();
    try {
      await migratePostgres(database);
      await database('knex_migrations_lock').update({ is_locked: 1 });
      await database('knex_migrations').where({ name: '005_exports' }).del();
      expect(await pendingPostgresMigrations(database)).to.deep.equal(['005_exports']);
      await database('knex_migrations').insert({
        name: '005_exports',
        batch: 1,
        migration_time: new Date(),
      });
      expect(await migratePostgres(database)).to.deep.equal([]);
      expect(await database('knex_migrations_lock').pluck('is_locked')).to.deep.equal([0]);
    } finally {
      await clickhouse.close();
      await database.destroy();
    }
  });

  it('change every kind of object in a file with the next number, wholly or not at all', async () => {
    const { database, clickhouse } = await emptyIsolatedStores();
    const folder = await mkdtemp(join(tmpdir(), 'migrations-'));
    try {
      await migratePostgres(database);
      await newTenant(database);
      await cp('services/schema/postgres/migrations', folder, { recursive: true });
      const file = join(folder, '999_devices.sql');
      await writeFile(file, `${nextMigration} select 1 / 0;`);
      const failure = await migratePostgres(database, folder).catch(String);
      expect(failure).to.include('division by zero');
      expect(await database.schema.hasTable('devices')).to.equal(false);

      await writeFile(file, nextMigration);
      expect(await migratePostgres(database, folder)).to.deep.equal(['999_devices']);
      expect(await migratePostgres(database, folder)).to.deep.equal([]);
      expect(await database('devices').pluck('state')).to.deep.equal(['is it new?']);
      expect(await database('saved_views').columnInfo()).to.include.keys('owner', 'saved_at');
      const { rows } = await database.raw<{ rows: object[] }>(
        `select has_column_privilege('netpanel_query', 'saved_views', 'owner', 'select') as sees_new_column,
                has_table_privilege('netpanel_query', 'devices', 'select') as sees_new_table`,
      );
      expect(rows).to.deep.equal([{ sees_new_column: true, sees_new_table: false }]);
    } finally {
      await rm(folder, { recursive: true });
      await clickhouse.close();
      await database.destroy();
    }
  });

  it('refuse a schema from before the baseline with one line', async () => {
    const { database, clickhouse } = await emptyIsolatedStores();
    try {
      await migratePostgres(database);
      await database('knex_migrations').update({ name: database.raw("replace(name, '_', '-')") });
      expect(await migratePostgres(database).catch(String)).to.equal(
        'Error: the Postgres database has the schema of an unreleased version of netpanel and cannot be migrated: ' +
          'run make clean (local stack) or start from an empty database',
      );
    } finally {
      await clickhouse.close();
      await database.destroy();
    }
  });

  it('are listed without creating a table', async () => {
    const { database, clickhouse } = await emptyIsolatedStores();
    try {
      expect(await pendingPostgresMigrations(database)).to.include('001_tenants');
      const tables = database('information_schema.tables').where({ table_schema: 'public' });
      expect(await tables).to.deep.equal([]);
    } finally {
      await clickhouse.close();
      await database.destroy();
    }
  });
});
