import { expect } from 'chai';
import { connectPostgres } from '../../../services/shared/postgres/connect-postgres.ts';
import {
  migratePostgres,
  pendingPostgresMigrations,
} from '../../../services/schema/postgres/migrate-postgres.ts';
import { localStack } from '../../support/local-stack.ts';
import { emptyIsolatedStores } from '../../support/isolated-stores.ts';

describe('Postgres migrations', () => {
  it('let eight starters migrate one empty database at once', async () => {
    const { database, databaseUrl } = await localStack();
    await database.raw('create database eight_starters');
    const url = databaseUrl.replace(/[^/]+$/, 'eight_starters');
    const starters = Array.from({ length: 8 }, () => connectPostgres(url, 2, 'starter'));
    try {
      const applied = await Promise.all(starters.map(migratePostgres));
      const workers = applied.filter((names) => names.length > 0);
      expect(workers).to.have.length(1);
      expect(await pendingPostgresMigrations(starters[0]!)).to.deep.equal([]);
      expect(await migratePostgres(starters[0]!)).to.deep.equal([]);
    } finally {
      await Promise.all(starters.map((starter) => starter.destroy()));
      await database.raw('drop database eight_starters');
    }
  });

  it('go on where one was killed, whose lock knex would respect for ever', async () => {
    const { database, clickhouse } = await emptyIsolatedStores();
    try {
      await migratePostgres(database);
      await database('knex_migrations_lock').update({ is_locked: 1 });
      await database('knex_migrations').where({ name: '005-snapshot-due' }).del();
      expect(await pendingPostgresMigrations(database)).to.deep.equal(['005-snapshot-due']);
      await database('knex_migrations').insert({
        ...{ name: '005-snapshot-due', batch: 1, migration_time: new Date() },
      });
      expect(await migratePostgres(database)).to.deep.equal([]);
      expect(await database('knex_migrations_lock').pluck('is_locked')).to.deep.equal([0]);
    } finally {
      await clickhouse.close();
      await database.destroy();
    }
  });

  it('are looked for without a table being made for it', async () => {
    const { database, clickhouse } = await emptyIsolatedStores();
    try {
      expect(await pendingPostgresMigrations(database)).to.include('001-tenants');
      const tables = database('information_schema.tables').where({ table_schema: 'public' });
      expect(await tables).to.deep.equal([]);
    } finally {
      await clickhouse.close();
      await database.destroy();
    }
  });
});
