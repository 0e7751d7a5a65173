import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { expect } from 'chai';
import { chooseEngine } from '../../../deploy/local/choose-engine.ts';
import type { LocalClickHouse } from '../../../deploy/local/start-clickhouse.ts';
import {
  type ClickHouseSettings,
  connectClickHouse,
} from '../../../services/shared/clickhouse/connect-clickhouse.ts';
import { generatedObjects } from '../../../services/schema/clickhouse/generated/generated-objects.ts';
import { migrateClickHouse } from '../../../services/schema/clickhouse/migrate-clickhouse.ts';
import { readMigrations } from '../../../services/schema/clickhouse/read-migrations.ts';
import {
  connectPostgres,
  type Database,
} from '../../../services/shared/postgres/connect-postgres.ts';
import { migratePostgres } from '../../../services/schema/postgres/migrate-postgres.ts';
import { DataApi } from '../../support/data-api.ts';
import { fetched, fileData } from '../../support/exported-file.ts';
import { newDataDir } from '../../support/local-clickhouse.ts';
import { localStack } from '../../support/local-stack.ts';
import { metadataClient } from '../../support/metadata-client.ts';
import { startQueryService } from '../../support/query-service.ts';
import { migrateUser, startAsRole, startWithUsers } from '../../support/role-server.ts';
import { runBuilt } from '../../support/run-built.ts';
import { startServiceProcess } from '../../support/service-process.ts';
import { addPackages, newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { parseRole, usersXml } from '../../support/users-xml.ts';

// The native engine has no CREATE ROLE, but it enforces the grants, profiles and quotas of a users.xml.
// The roles' SQL is translated to one, and each part of netpanel works with the rights of its role: one
// data folder is migrated, loaded, given metadata and queried, reopened under the next role each time.
//
// Not proven here, since the library has no such thing:
// - CREATE ROLE, GRANT … TO and CREATE QUOTA themselves (only parsed: deployment-sql.test.ts)
// - that a server refuses system tables without a grant (select_from_system_db_requires_grant)
// - a quota by client_key: users.xml only knows client_key, user_name; and the engine sees no quota_key
// - cluster.sql: CLUSTER, REMOTE and SYSTEM SYNC REPLICA

describe('the ClickHouse roles on a real engine', function () {
  this.timeout(300_000);
  let database: Database;
  let databaseUrl: string;
  let tenant: Tenant;
  let dataDir: string;
  const closers: (() => Promise<unknown>)[] = [];

  before(async function () {
    const { engine, reason } = await chooseEngine();
    if (engine !== 'native') {
      const isWanted = process.arch === 'x64' && process.env.CLICKHOUSE_ENGINE === undefined;
      if (isWanted) throw new Error(`The native engine must run on x64: ${reason}`);
      process.stdout.write(`    skipped: only the native engine enforces roles (${reason})\n`);
      this.skip();
    }
    dataDir = newDataDir();
    ({ database, databaseUrl } = await newPostgres());
    closers.push(() => database.destroy());
    tenant = await newTenant(database);
    await addPackages(database, tenant.organisationId, { Northwave: ['Fibre 500'] });
  });
  after(() => closeAll(closers));

  describe('migrate.sql', () => {
    const role = asRole('migrate');

    it('suffices for all migrations on an empty server, time zones and dictionaries included', async () => {
      const first = await migrateClickHouse(role.settings());
      expect(first).to.deep.equal({
        applied: readMigrations().map(({ name }) => name),
        generated: generatedObjects().map(({ name }) => name),
        timezonesPublished: true,
      });
      const kathmandu =
        "SELECT dictGet('netpanel.timezone_offset', 'utc_offset_s', tuple('Asia/Kathmandu'), toDateTime('2026-01-01 00:00:00', 'UTC')) AS offset";
      expect(await role.rows(kathmandu)).to.deep.equal([{ offset: 20_700 }]);
      const second = await migrateClickHouse(role.settings());
      expect(second).to.deep.equal({ applied: [], generated: [], timezonesPublished: false });
    });

    it('suffices for netpanel doctor', async () => {
      const { code, stdout } = await role.netpanel('doctor');
      expect(code, stdout).to.equal(0);
      expect(stdout).to.match(/^ok +ClickHouse schema: up to date$/m);
    });

    it('reaches nothing outside netpanel', async () => {
      await role.refuses(497, 'CREATE DATABASE other');
      await role.refuses(497, 'CREATE TABLE default.other (x UInt8) ENGINE = Memory');
      await role.refuses(497, 'DROP DATABASE netpanel');
      await role.refuses(497, "SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'x UInt8')");
    });
  });

  describe('load.sql', () => {
    const role = asRole('load');

    it('suffices for netpanel load, which fills the values of filters as well', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'netpanel-roles-'));
      try {
        const file = join(folder, 'httpget.csv');
        const results = [1, 2, 3].flatMap((ago) =>
          [1, 2].map((unit) => `${unit},${dayBefore(ago)} 10:00:00,n${ago},1000000,1`),
        );
        const lines = ['unit_id,dtime,target,bytes_sec,successes', ...results];
        writeFileSync(file, `${lines.join('\n')}\n`);
        const load = ['load', '--org', tenant.name, '--test', 'httpget', file];
        const { code, stdout, stderr } = await role.netpanel(...load);
        expect(code, stderr).to.equal(0);
        expect(stdout).to.include('6 rows loaded, 2 agents registered');
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });

    it('reads no result, no metadata and no audit', async () => {
      for (const table of [
        'test_httpget',
        'last_rows_httpget',
        'filter_values',
        'agent_metadata_snapshot',
        'query_audit',
      ]) {
        await role.refuses(497, `SELECT count() FROM netpanel.${table}`);
      }
    });

    it('changes neither tables nor limits', async () => {
      await role.refuses(497, 'DROP TABLE netpanel.test_httpget');
      await role.refuses(497, 'ALTER TABLE netpanel.test_httpget DELETE WHERE 1');
      await role.refuses(452, 'SELECT 1', { max_memory_usage: '17179869185' });
    });
  });

  describe('metadata.sql', () => {
    const role = asRole('metadata');

    it('suffices for publishing snapshots, twice, and for netpanel snapshot --verify', async () => {
      const service = await startServiceProcess('metadata', role.env());
      try {
        const client = metadataClient(service.url, tenant.metadataToken);
        const twentyDaysAgo = Math.floor(Date.now() / 1000) - 20 * 86_400;
        for (const tier of ['silver', 'gold']) {
          const change = {
            agent: { unit_id: 1 },
            backdate_from: twentyDaysAgo,
            metadata: { package: 'Northwave:Fibre 500', custom: { tier } },
          };
          const { status, body } = await client.put(change);
          expect(status, JSON.stringify(body)).to.equal(200);
          await waitUntil(
            async () => (await database('snapshot_outbox').first()) === undefined,
            60_000,
          );
        }
      } finally {
        await service.kill('SIGTERM');
      }
      const { code, stdout, stderr } = await role.netpanel('snapshot', '--verify');
      expect(code, stderr).to.equal(0);
      expect(stdout).to.match(/^2 agents, \d+ periods, 0 differences, 0 changes/m);
    });

    it('reads no results and no audit', async () => {
      await role.refuses(497, 'SELECT count() FROM netpanel.test_httpget');
      await role.refuses(497, 'SELECT count() FROM netpanel.query_audit');
      await role.refuses(497, 'SELECT count() FROM netpanel.filter_values');
    });

    it('writes nothing but snapshots', async () => {
      await role.refuses(497, 'INSERT INTO netpanel.test_dns (organisation_id) SELECT 1');
      await role.refuses(497, 'DROP TABLE netpanel.agent_metadata_snapshot');
      await role.refuses(497, 'DROP DICTIONARY netpanel.agent_metadata');
    });
  });

  describe('query.sql', () => {
    const role = asRole('query');

    it('suffices for every endpoint of the query service and for its audit', async () => {
      const service = await startQueryService({ ...role.env(), AUDIT_FLUSH_MS: '3600000' });
      try {
        const api = new DataApi(service.url, tenant.dataToken);
        const request = {
          ...{ metric: 'httpget', chartType: 'aggregate', aggregation: 'daily' },
          ...{ normalised: true, prefilter: true, splits: ['isp', 'tier'] },
          time: { from: `${dayBefore(3)} 00:00`, to: `${dayBefore(0)} 00:00` },
        };
        const { status, body } = await api.post('/metric_data', request);
        expect(status, JSON.stringify(body)).to.equal(200);
        const points = (body.data as { metricData: { isp: string; tier: string }[] }[]).flatMap(
          ({ metricData }) => metricData.map(({ isp, tier }) => `${isp} ${tier}`),
        );
        expect(points).to.have.members([
          ...Array<string>(3).fill('Northwave gold'),
          ...Array<string>(3).fill('null null'),
        ]);

        const explained = await api.post('/metric_data/explain', request);
        expect(explained.status, JSON.stringify(explained.body)).to.equal(200);
        const days = { test: 'httpget', date: { from: dayBefore(3), to: dayBefore(0) } };
        const rows = await api.post('/test_data', days);
        expect(rows.body.data).to.have.length(6);
        for (const [filter, values] of Object.entries({
          target: ['n1', 'n2', 'n3'],
          isp: ['Northwave'],
          tier: ['gold'],
          unit: ['1', '2'],
        })) {
          const found = await api.get(`/filters/${filter}/values`);
          expect(found.body.data, filter).to.deep.equal(values);
        }
        const file = fileData(await api.post('/test_data.csv', days));
        expect((await fetched(file.url)).toString()).to.include('n3');
        expect((await api.get('/metrics')).status).to.equal(200);
      } finally {
        await service.stop(10_000);
      }
    });

    it('creates, changes and deletes nothing', async () => {
      await role.refuses(497, 'CREATE TABLE netpanel.mine (x UInt8) ENGINE = Memory');
      await role.refuses(497, 'CREATE TEMPORARY TABLE mine (x UInt8)');
      await role.refuses(497, 'DROP TABLE netpanel.test_dns');
      await role.refuses(497, 'TRUNCATE TABLE netpanel.test_dns');
      await role.refuses(497, 'ALTER TABLE netpanel.test_dns DELETE WHERE 1');
      await role.refuses(497, 'INSERT INTO netpanel.test_dns (organisation_id) SELECT 1');
      await role.refuses(497, 'INSERT INTO netpanel.filter_values (organisation_id) SELECT 1');
      await role.refuses(497, 'SYSTEM RELOAD DICTIONARY netpanel.agent_metadata');
    });

    it('does not read what it wrote to the audit, nor anything else it does not need', async () => {
      await role.refuses(497, 'SELECT count() FROM netpanel.query_audit');
      await role.refuses(497, 'SELECT count() FROM netpanel.schema_migrations');
      await role.refuses(497, 'SELECT count() FROM netpanel.loaded_blocks');
      await role.refuses(497, "SELECT count() FROM dictionary('netpanel.agent_metadata')");
      for (const table of ['users', 'roles', 'grants', 'quotas', 'settings_profiles']) {
        await role.refuses(497, `SELECT count() FROM system.${table}`);
      }
      const tables = "SELECT count() AS n FROM system.tables WHERE name = 'query_audit'";
      expect(await role.rows(tables)).to.deep.equal([{ n: 1 }]);
      const hidden = "SELECT count() AS n FROM system.tables WHERE name = 'schema_migrations'";
      expect(await role.rows(hidden)).to.deep.equal([{ n: 0 }]);
    });

    it('does not reach out of the server', async () => {
      for (const source of [
        "url('http://127.0.0.1:1/', 'CSV', 'x UInt8')",
        "file('/etc/passwd', 'LineAsString')",
        "remote('127.0.0.1', 'netpanel', 'query_audit')",
        "remoteSecure('127.0.0.1', 'netpanel', 'query_audit')",
        "s3('http://127.0.0.1:1/bucket/key', 'CSV', 'x UInt8')",
        "mysql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
        "postgresql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
        "executable('id', 'CSV', 'x String')",
      ]) {
        await role.refuses(497, `SELECT * FROM ${source}`);
      }
    });

    for (const [setting, most] of Object.entries({
      max_execution_time: 3600,
      max_memory_usage: 17_179_869_184,
      max_rows_to_read: 100_000_000_000,
      max_result_rows: 5_000_000_000,
      max_threads: 64,
    })) {
      it(`takes ${setting} up to ${most} and no more`, async () => {
        await role.rows('SELECT 1', { [setting]: String(most) });
        await role.refuses(452, 'SELECT 1', { [setting]: String(most + 1) });
        // 0 is no limit at all.
        if (setting !== 'max_threads') await role.refuses(452, 'SELECT 1', { [setting]: '0' });
      });
    }

    for (const [setting, value] of Object.entries({
      allow_introspection_functions: '1',
      max_concurrent_queries_for_user: '1000',
      timeout_overflow_mode: 'break',
      read_overflow_mode: 'break',
      result_overflow_mode: 'break',
      skip_unavailable_shards: '1',
    })) {
      it(`does not take another ${setting}`, () =>
        role.refuses(452, 'SELECT 1', { [setting]: value }));
    }

    it('does not take another allow_ddl', () => role.refuses(392, 'SELECT 1', { allow_ddl: '1' }));

    it('cuts a query off at the limit where the service sends none', async () => {
      await role.refuses(396, 'SELECT number FROM numbers(5000001)', {
        wait_end_of_query: 1,
      });
    });

    const slowQuery = 'SELECT sleepEachRow(1) FROM numbers(100) SETTINGS max_block_size = 1';
    it('lets the service end its own queries', async () => {
      const leave = new AbortController();
      const query = fetch(role.settings().clickhouseUrl, {
        ...{ method: 'POST', body: slowQuery, signal: leave.signal },
      }).catch(() => undefined);
      const running = `SELECT count() AS n FROM system.processes WHERE query LIKE 'SELECT sleepEachRow%'`;
      const isRunning = async () => (await role.rows<{ n: number }>(running))[0]?.n === 1;
      await waitUntil(isRunning);
      leave.abort();
      await query;
      await waitUntil(async () => !(await isRunning()));
    });
  });

  describe('a role of other rights', () => {
    it('finds in the audit what the query service was asked under its own', async () => {
      const sql = 'CREATE ROLE IF NOT EXISTS some; GRANT SELECT ON netpanel.* TO some;';
      const server = await startWithUsers(dataDir, usersXml({ default: parseRole(sql) }));
      try {
        const body = 'SELECT route FROM netpanel.query_audit ORDER BY occurred_at';
        const response = await fetch(server.url, { method: 'POST', body });
        expect((await response.text()).trim().split('\n')).to.include.members([
          ...['POST /metric_data', 'POST /test_data', 'POST /test_data.csv'],
        ]);
      } finally {
        await server.stop();
      }
    });
  });

  describe('a quota', () => {
    it('of a role ends what goes beyond it', async () => {
      const sql = `CREATE ROLE IF NOT EXISTS some; GRANT SELECT ON netpanel.* TO some;
        CREATE QUOTA IF NOT EXISTS q FOR INTERVAL 1 hour MAX queries = 1000, read_rows = 10 TO some;`;
      const server = await startWithUsers(dataDir, usersXml({ default: parseRole(sql) }));
      try {
        const response = await fetch(server.url, {
          method: 'POST',
          body: 'SELECT count() FROM numbers(1000)',
        });
        expect(await response.text()).to.match(/^Code: 201\..*read_rows = 1000\/10/);
      } finally {
        await server.stop();
      }
    });
  });

  describe('their translation', () => {
    for (const sql of [
      'REVOKE SELECT ON a.b FROM c',
      'CREATE USER c',
      'CREATE ROW POLICY p ON a.b USING 1 TO c',
      'CREATE SETTINGS PROFILE IF NOT EXISTS p SETTINGS a = 1 WRITABLE',
      'GRANT SELECT ON a.b TO c WITH GRANT OPTION',
      "CREATE ROLE IF NOT EXISTS c SETTINGS PROFILE 'missing'",
    ]) {
      it(`fails at: ${sql}`, () => expect(() => parseRole(sql)).to.throw(/^Not /));
    }
  });

  /** A server over the data folder with a role's rights, for the tests of one describe(). */
  function asRole(name: string) {
    let server: LocalClickHouse;
    let client: ClickHouseClient;
    const opened: (() => Promise<unknown>)[] = [];
    const settings = (): ClickHouseSettings => ({
      ...{ clickhouseUrl: server.url, clickhouseDatabase: 'netpanel' },
      // Not who asks, but whom the migrations name in the dictionaries.
      ...{ clickhouseUser: migrateUser, clickhousePassword: '' },
    });
    before(async () => {
      server = await startAsRole(dataDir, name);
      opened.push(() => server.stop());
      client = connectClickHouse({ ...settings(), clickhouseDatabase: 'default' }, 'roles-test');
      opened.push(() => client.close());
    });
    after(() => closeAll(opened));
    const rows = async <Row>(query: string, clickhouse_settings = {}): Promise<Row[]> => {
      const json = { output_format_json_quote_64bit_integers: 0, ...clickhouse_settings } as const;
      const result = await client.query({
        query,
        format: 'JSONEachRow',
        clickhouse_settings: json,
      });
      return result.json();
    };
    const env = () => ({
      ...{ DATABASE_URL: databaseUrl, CLICKHOUSE_URL: server.url, CLICKHOUSE_DATABASE: 'netpanel' },
      CLICKHOUSE_USER: migrateUser,
      EXPORT_FOLDER: join(dataDir, 'exports'),
    });
    return {
      settings,
      rows,
      env,
      netpanel: (...args: string[]) => runBuilt('services/cli/netpanel.js', env(), args),
      refuses: async (code: number, query: string, clickhouse_settings = {}) => {
        const failure = await client
          .exec({ query, clickhouse_settings })
          .then(({ stream }) => stream.toArray())
          .then(() => ({ code: 'none', message: 'it was allowed' }))
          .catch((error: unknown) => error as { code: string; message: string });
        expect(failure.code, `${query}: ${failure.message}`).to.equal(String(code));
      },
    };
  }
});

async function newPostgres(): Promise<{ database: Database; databaseUrl: string }> {
  const stack = await localStack();
  const name = `test_${randomBytes(6).toString('hex')}`;
  await stack.database.raw('create database ??', [name]);
  const url = new URL(stack.databaseUrl);
  url.pathname = `/${name}`;
  const database = connectPostgres(url.href, 10, name);
  await migratePostgres(database);
  return { database, databaseUrl: url.href };
}

/** UTC, as 2026-11-15. */
function dayBefore(days: number): string {
  return new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
}

/** In reverse order, as far as they were opened: a skipped or failed before() leaves some out. */
async function closeAll(closers: readonly (() => Promise<unknown>)[]): Promise<void> {
  for (const close of closers.toReversed()) await close();
}
