import { expect } from 'chai';
import { connectPostgres } from '../../../services/shared/postgres/connect-postgres.ts';
import {
  migratePostgres,
  pendingPostgresMigrations,
} from '../../../services/shared/postgres/migrate-postgres.ts';
import { localStack } from '../../support/local-stack.ts';

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
});
