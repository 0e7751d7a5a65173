import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { expect } from 'chai';
import {
  migrateClickHouse,
  type SchemaSource,
} from '../../../services/schema/clickhouse/migrate-clickhouse.ts';
import type { ClickHouseSettings } from '../../../services/shared/clickhouse/connect-clickhouse.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { startCuttingProxy } from '../../support/cutting-proxy.ts';
import { nextSchema } from './next-schema.ts';
import { openMigratedSchema, type MigratedSchema } from './open-schema.ts';

// Migrates the released schema with rows in it to the next one, with interruptions and concurrent inserts. The
// result must be the same as without interruptions.

const killRounds = Number(process.env.MIGRATE_KILL_ROUNDS ?? 1);
const seed = Number(process.env.MIGRATE_KILL_SEED ?? Date.now() % 100_000);

describe('an interrupted migration of a database with rows', function () {
  this.timeout(900_000);
  const next: SchemaSource = nextSchema();
  let expected: object;

  before(async () => {
    const schema = await releasedSchema('schema_next_test');
    const { generated } = await migrateClickHouse(schema.settings, next);
    expect(generated).to.have.members([
      'test_new',
      'test_httpget',
      'test_dns',
      'last_rows_httpget',
      'filter_values_httpget',
      'last_rows_httpget_feed',
      'results_dns',
      'new_view',
      'results_mobile_www',
    ]);
    expected = await stateOf(schema);
    await schema.close();
  });

  it('continues after an interruption after every change', async () => {
    const schema = await releasedSchema('schema_cut_test');
    const cuts = new Set<string>();
    // Before a change the database is as after the change before it: between them are only reads.
    const proxy = await startCuttingProxy(schema.settings.clickhouseUrl, (moment, sql) => {
      if (moment === 'before' || sql.startsWith('SELECT') || cuts.has(sql)) return false;
      cuts.add(sql);
      return true;
    });
    try {
      const settings = { ...schema.settings, clickhouseUrl: proxy.url };
      let runs = 0;
      for (let before = -1; before < cuts.size;) {
        before = cuts.size;
        await insertWhileMigrating(schema, runs++);
        // Each run is interrupted once. A failure without an interruption is real.
        await migrateClickHouse(settings, next).catch((error: unknown) => {
          if (before === cuts.size) throw error;
        });
      }
      expect(runs).to.equal(cuts.size + 1);
      const statements = next.migrations.slice(-2).flatMap((migration) => migration.statements);
      expect(runs).to.be.greaterThan(2 * statements.length);
      expect(await stateOf(schema)).to.deep.equal(expected);
      await expectInserted(schema, runs);
    } finally {
      await proxy.stop();
      await schema.close();
    }
  });

  for (let round = 0; round < killRounds; round++) {
    it(`continues after its process was killed, round ${round + 1} (MIGRATE_KILL_SEED=${seed})`, async () => {
      const schema = await releasedSchema('schema_kill_test');
      try {
        const kills = [1, 2, 3].map((kill) => randomUpTo(45, seed + 10 * round + kill));
        for (const [i, afterRequests] of kills.entries()) {
          await insertWhileMigrating(schema, i);
          await migrateAndKill(schema.settings, afterRequests);
        }
        await insertWhileMigrating(schema, kills.length);
        await migrateClickHouse(schema.settings, next);
        expect(await stateOf(schema)).to.deep.equal(expected);
        await expectInserted(schema, kills.length + 1);
      } finally {
        await schema.close();
      }
    });
  }
});

/** Runs the migration as a process and kills it at a request, for even numbers after its execution. */
async function migrateAndKill(settings: ClickHouseSettings, requests: number): Promise<void> {
  let count = 0;
  const program = join(repositoryRoot, 'dist/test/integration/schema/next-schema.js');
  const proxy = await startCuttingProxy(settings.clickhouseUrl, (moment) => {
    if (moment === 'before') count++;
    if (count < requests || (requests % 2 === 0) !== (moment === 'after')) return false;
    child.kill('SIGKILL');
    return true;
  });
  const migrated = { ...settings, clickhouseUrl: proxy.url };
  const child = spawn(process.execPath, [program], {
    env: { PATH: process.env.PATH, NEXT_SCHEMA_OF: JSON.stringify(migrated) },
    stdio: ['ignore', 'inherit', 'inherit'],
  });
  const signal = await new Promise((resolve) => child.once('exit', (_code, how) => resolve(how)));
  await proxy.stop();
  expect(signal, `killed at request ${requests} of ${count}`).to.be.oneOf(['SIGKILL', null]);
}

/** The same number for the same seed. */
function randomUpTo(limit: number, from: number): number {
  return 1 + ((Math.imul(from, 2_654_435_761) >>> 0) % limit);
}

/** The released schema with results, metadata, audit rows and loaded blocks of organisation 1. */
async function releasedSchema(database: string): Promise<MigratedSchema> {
  const schema = await openMigratedSchema(database);
  const organisation_id = 1;
  const received_at = '2026-01-02 00:00:00.000000';
  const numbers = Array.from({ length: 100 }, (_, i) => i);
  await schema.insert(
    'test_httpget',
    numbers.map((i) => ({
      organisation_id,
      agent_key: i % 10,
      dtime: `2026-01-01 10:00:${10 + (i % 20)}.000`,
      target: 'a',
      address: `192.0.2.${i}`,
      sequence: i % 3,
      bytes_sec: i,
      received_at,
    })),
  );
  await schema.insert(
    'test_dns',
    numbers.map((i) => ({
      organisation_id,
      agent_key: i,
      dtime: '2026-01-01 10:00:00.000',
      nameserver: 'n',
      lookup_host: 'h',
      response_ip: '192.0.2.1',
      rtt: 1000 + i,
      received_at,
    })),
  );
  await schema.insert('agent_metadata_period', [
    {
      publication: 1,
      organisation_id,
      agent_key: 1,
      agent_id: 'agent',
      kind: 'Whitebox',
      valid_from: '1970-01-01 00:00:00',
      valid_to: '2106-02-07 06:28:15',
      isp: 'Northwave',
      custom: { tier: 'gold', street: 'x' },
    },
  ]);
  await schema.insert('agent_metadata_publication', [
    { organisation_id, publication: 1, row_count: 1 },
  ]);
  await schema.insert('query_audit', [
    {
      organisation_id,
      token_id: 1,
      route: 'POST /metric_data',
      occurred_at: '2026-01-01 00:00:00',
    },
  ]);
  await schema.insert(
    'loaded_blocks',
    numbers.map((i) => ({ organisation_id, test: `t${i % 3}`, sha256: `${i}`, row_count: i })),
  );
  await schema.command('SYSTEM RELOAD DICTIONARY agent_metadata');
  return schema;
}

/** Inserts a result of organisation 2, as the loader does. */
async function insertWhileMigrating(schema: MigratedSchema, number: number): Promise<void> {
  await schema.insert('test_httpget', [
    {
      organisation_id: 2,
      agent_key: number,
      dtime: '2026-01-01 10:00:00.000',
      target: `target-${number}`,
      bytes_sec: number,
      successes: 1,
    },
  ]);
}

async function expectInserted(schema: MigratedSchema, count: number): Promise<void> {
  const rows = await schema.rows(`
    SELECT
      (SELECT count() FROM test_httpget FINAL WHERE organisation_id = 2) AS results,
      (SELECT count() FROM last_rows_httpget FINAL WHERE organisation_id = 2) AS last_rows,
      (SELECT uniqExact(value) FROM filter_values WHERE organisation_id = 2 AND field = 'target') AS targets`);
  expect(rows).to.deep.equal([{ results: count, last_rows: count, targets: count }]);
}

/** The definitions of all objects in the database, and the rows of organisation 1. */
async function stateOf(schema: MigratedSchema): Promise<object> {
  const database = schema.settings.clickhouseDatabase;
  const objects = await schema.rows<{ text: string }>(
    `SELECT concat(name, ': ', create_table_query) AS text FROM system.tables
    WHERE database = currentDatabase() ORDER BY name`,
  );
  const rowsOf = (table: string, columns = '*') =>
    schema.rows(`SELECT ${columns} FROM ${table} WHERE organisation_id = 1 ORDER BY ALL`);
  return {
    objects: objects.map(({ text }) => text.replaceAll(database, 'database')),
    results: await rowsOf('test_httpget FINAL'),
    lastRows: await rowsOf('last_rows_httpget FINAL'),
    // Each database has a key of its own for hashes of custom values.
    names: await rowsOf('results_dns', '* EXCEPT custom_hash'),
    values: await rowsOf('filter_values FINAL'),
    audit: await rowsOf('query_audit'),
    loaded: await rowsOf('loaded_rows FINAL'),
    view: await schema.rows('SELECT DISTINCT access_technology FROM new_view'),
    metadata: await schema.rows(
      `SELECT dictGet('agent_metadata', ('isp', 'custom_count'), toUInt64(1), now()) AS metadata`,
    ),
    generated: await schema.rows(
      `SELECT name, text FROM schema_generated_objects FINAL ORDER BY name`,
    ),
    applied: await schema.rows(
      'SELECT version, statement, statement_sha256 FROM schema_migrations FINAL ORDER BY ALL',
    ),
  };
}
