import { appendFileSync, cpSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { migrateClickHouse } from '../../../services/shared/clickhouse/migrate-clickhouse.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { openSchema, type Schema } from './open-schema.ts';

const migrationNames = readdirSync(join(repositoryRoot, 'deploy/clickhouse'))
  .filter((file) => file.endsWith('.sql'))
  .map((file) => file.replace('.sql', ''))
  .sort();

describe('migrating ClickHouse', () => {
  let schema: Schema;
  before(async () => (schema = await openSchema('schema_migrate_test')));
  after(() => schema.close());

  it('applies each numbered file once, and a second run changes nothing', async () => {
    expect(schema.firstRun.applied).to.deep.equal(migrationNames);
    expect(schema.firstRun.timezonesPublished).to.equal(true);

    const before = await stateOf(schema);
    const secondRun = await migrateClickHouse(schema.settings);

    expect(secondRun).to.deep.equal({ applied: [], timezonesPublished: false });
    expect(await stateOf(schema)).to.deep.equal(before);
  });

  it('lets several starters migrate an empty database at once', async () => {
    const settings = { ...schema.settings, clickhouseDatabase: 'schema_starters_test' };
    await Promise.all([1, 2, 3].map(() => migrateClickHouse(settings)));

    const rows = await schema.rows(`
      SELECT
        (SELECT count() FROM schema_starters_test.schema_migrations FINAL) AS migrations,
        (SELECT count() FROM system.tables WHERE database = 'schema_starters_test') =
        (SELECT count() FROM system.tables WHERE database = currentDatabase()) AS same_tables,
        dictGet('schema_starters_test.timezone_offset', 'utc_offset_s', 'Asia/Kathmandu', now()) AS offset`);
    await schema.command('DROP DATABASE schema_starters_test');
    expect(rows).to.deep.equal([
      { migrations: migrationNames.length, same_tables: 1, offset: 20700 },
    ]);
  });

  it('refuses a file that was changed after it was applied, and names it', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'netpanel-migrations-'));
    cpSync(join(repositoryRoot, 'deploy/clickhouse'), folder, { recursive: true });
    appendFileSync(join(folder, '002_mobile_tests.sql'), '-- an afterthought\n');

    const failure = await migrateClickHouse(schema.settings, folder).then(
      () => 'no failure',
      (error: unknown) => String(error),
    );
    rmSync(folder, { recursive: true });
    expect(failure).to.include('Migration 002_mobile_tests was changed after it was applied');
  });
});

function stateOf(schema: Schema): Promise<unknown[]> {
  return schema.rows(`
    SELECT name, create_table_query, total_rows, metadata_modification_time
    FROM system.tables WHERE database = currentDatabase() ORDER BY name`);
}
