import { expect } from 'chai';
import { generatedObjects } from '../../../services/schema/clickhouse/generated/generated-objects.ts';
import {
  migrateClickHouse,
  pendingClickHouseMigrations,
  type SchemaSource,
  schemaSource,
} from '../../../services/schema/clickhouse/migrate-clickhouse.ts';
import { parseStatement } from '../../../services/schema/clickhouse/parse-statement.ts';
import { type Migration, sha256 } from '../../../services/schema/clickhouse/read-migrations.ts';
import { connectClickHouse } from '../../../services/shared/clickhouse/connect-clickhouse.ts';
import { openMigratedSchema, type MigratedSchema } from './open-schema.ts';

const released = schemaSource();
const nextVersion = Math.max(...released.migrations.map(({ version }) => version)) + 1;

describe('migrating ClickHouse', () => {
  let schema: MigratedSchema;
  before(async () => (schema = await openMigratedSchema('schema_migrate_test')));
  after(() => schema.close());

  it('applies each numbered file once, and a second run changes nothing', async () => {
    expect(schema.firstRun).to.deep.equal({
      applied: released.migrations.map(({ name }) => name),
      generated: generatedObjects().map(({ name }) => name),
      timezonesPublished: true,
    });

    const before = await stateOf(schema);
    const secondRun = await migrateClickHouse(schema.settings);

    expect(secondRun).to.deep.equal({ applied: [], generated: [], timezonesPublished: false });
    expect(await stateOf(schema)).to.deep.equal(before);
  });

  it('rejects a file that was changed after it was applied', async () => {
    const [first, ...rest] = released.migrations;
    const edited = { ...first!, sha256: sha256('-- changed') };
    const failure = await failureOf({ ...released, migrations: [edited, ...rest] });
    expect(failure).to.include(`Migration ${first!.name} was changed after it was applied`);
  });

  it('continues with the failed statement, which may be corrected', async () => {
    const create = 'CREATE TABLE IF NOT EXISTS things\n(a UInt8)\nENGINE = MergeTree\nORDER BY a';
    const copy = 'INSERT INTO things SELECT number FROM numbers(3)';
    const failing = withNext([create, copy, 'INSERT INTO things SELECT number FROM nowhere']);
    expect(await failureOf(failing)).to.include('failed at: INSERT INTO things SELECT number');

    const changed = withNext([create, copy.replace('3', '4'), copy]);
    expect(await failureOf(changed)).to.include(
      `Statement 2 of migration ${failing.migrations.at(-1)!.name} was changed after it was applied`,
    );
    const client = connectClickHouse(schema.settings, 'netpanel-test');
    expect(await pendingClickHouseMigrations(client, failing)).to.have.length(1);

    const corrected = withNext([create, copy, copy]);
    await migrateClickHouse(schema.settings, corrected);
    expect(await pendingClickHouseMigrations(client, corrected)).to.deep.equal([]);
    await client.close();
    // Twice three rows: the second statement was not run again.
    expect(await schema.rows('SELECT count() AS n FROM things')).to.deep.equal([{ n: 6 }]);
    expect(await failureOf(withNext([create, copy, copy, copy]))).to.include('was changed after');
  });

  it('recreates a dropped generated view, and drops one that is no longer generated', async () => {
    const source = { ...released, objects: released.objects.slice(0, -1) };
    const last = released.objects.at(-1)!.name;
    await schema.command('DROP VIEW results_dns');
    const { generated } = await migrateClickHouse(schema.settings, source);
    expect(generated).to.deep.equal(['results_dns', last]);
    const again = await migrateClickHouse(schema.settings, source);
    expect(again.generated).to.deep.equal([]);
    expect((await migrateClickHouse(schema.settings)).generated).to.deep.equal([last]);
  });

  it('loads time zones again after an interruption, and then gives results a new version', async () => {
    const versions = () => schema.rows('SELECT sum(version) AS sum FROM data_versions');
    const before = await versions();
    // As after a run that ended before the dictionaries were loaded.
    await schema.command(`ALTER TABLE timezone_offset_version DELETE
WHERE published_at = (SELECT max(published_at) FROM timezone_offset_version) SETTINGS mutations_sync = 1`);
    expect((await migrateClickHouse(schema.settings)).timezonesPublished).to.equal(true);
    expect(await versions()).not.to.deep.equal(before);
    expect((await migrateClickHouse(schema.settings)).timezonesPublished).to.equal(false);
  });

  it('rejects a database of another schema in one line with advice', async () => {
    const [first, ...rest] = released.migrations;
    const other = { ...released, migrations: [{ ...first!, name: '001_results' }, ...rest] };
    const client = connectClickHouse(schema.settings, 'netpanel-test');
    const pending = await pendingClickHouseMigrations(client, other).then(String, String);
    await client.close();
    for (const failure of [await failureOf(other), pending]) {
      expect(failure).to.match(
        /^.*unreleased version of netpanel \(001_bookkeeping\).*make clean.*$/,
      );
    }
  });

  it('rejects another sorting key of a generated table, and keeps a table without its test', async () => {
    const changed = released.objects.map((object) =>
      object.name === 'test_dns' && object.kind === 'table'
        ? { ...object, orderBy: 'organisation_id' }
        : object,
    );
    expect(await failureOf({ ...released, objects: changed })).to.include(
      'The table test_dns cannot change from organisation_id, toDate(dtime), agent_key, dtime, nameserver',
    );
    const without = released.objects.filter(({ name }) => name !== 'test_dns');
    const { generated } = await migrateClickHouse(schema.settings, {
      ...released,
      objects: without,
    });
    expect(generated).to.deep.equal([]);
    expect(await schema.rows('SELECT count() AS n FROM test_dns')).to.deep.equal([{ n: 0 }]);
  });

  async function failureOf(source: SchemaSource): Promise<string> {
    return migrateClickHouse(schema.settings, source).then(() => 'no failure', String);
  }
});

/** The released schema and one more migration with these statements. */
function withNext(statements: readonly string[]): SchemaSource {
  const next: Migration = {
    version: nextVersion,
    name: 'next',
    isAfter: false,
    sha256: sha256(statements.join(';')),
    statements: statements.map((sql) => ({ ...parseStatement(sql), sha256: sha256(sql) })),
  };
  return { ...released, migrations: [...released.migrations, next] };
}

function stateOf(schema: MigratedSchema): Promise<unknown[]> {
  return schema.rows(`
    SELECT name, create_table_query, total_rows, metadata_modification_time
    FROM system.tables WHERE database = currentDatabase() ORDER BY name`);
}
