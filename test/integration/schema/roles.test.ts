import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { generatedObjects } from '../../../services/schema/clickhouse/generated/generated-objects.ts';
import { migrateClickHouse } from '../../../services/schema/clickhouse/migrate-clickhouse.ts';
import { readMigrations } from '../../../services/schema/clickhouse/read-migrations.ts';
import { migratePostgres } from '../../../services/schema/postgres/migrate-postgres.ts';
import { DataApi } from '../../support/data-api.ts';
import { dayBefore } from '../../support/day-before.ts';
import { fetched, fileData } from '../../support/exported-file.ts';
import { emptyIsolatedStores, type IsolatedStores } from '../../support/isolated-stores.ts';
import { newDataDir } from '../../support/local-clickhouse.ts';
import { metadataClient } from '../../support/metadata-client.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { readinessOf } from '../../support/readiness-of.ts';
import { startWithUsers } from '../../support/role-server.ts';
import { runNetpanel } from '../../support/netpanel.ts';
import { startServiceProcess } from '../../support/service-process.ts';
import { addPackages, newTenant, type Tenant } from '../../support/tenant.ts';
import { requireNativeEngine, useRole } from '../../support/use-role.ts';
import { parseRole, usersXml } from '../../support/users-xml.ts';
import { waitUntil } from '../../support/wait-until.ts';

// The native engine has no CREATE ROLE, but it enforces the grants, profiles and quotas of a users.xml. The
// roles' SQL is translated to one. These tests run each part of netpanel with the grants of its role on one
// data folder: migrate, load, publish, query. role-limits.test.ts tests what each role must not do.
//
// Not tested, because the engine does not support it:
// - CREATE ROLE, GRANT … TO and CREATE QUOTA themselves (only parsed: deployment-sql.test.ts)
// - that a server rejects system tables without a grant (select_from_system_db_requires_grant)
// - that the quota counts per quota_key, which the engine ignores (sent: organisation-settings.test.ts)
// - cluster.sql: CLUSTER, REMOTE and SYSTEM SYNC REPLICA

describe('the ClickHouse roles on a real engine', () => {
  requireNativeEngine();
  const dataDir = newDataDir();
  let stores: IsolatedStores | undefined;
  let tenant: Tenant;

  before(async () => {
    stores = await emptyIsolatedStores();
    const { database } = stores;
    await migratePostgres(database);
    tenant = await newTenant(database);
    await addPackages(database, tenant.organisationId, { Northwave: ['Fibre 500'] });
  });
  after(() => stores?.close());

  describe('migrate.sql', () => {
    const role = useRole(dataDir, 'migrate');

    it('suffices for all migrations on an empty server, including time zones and dictionaries', async () => {
      const first = await migrateClickHouse(role.settings());
      expect(first).to.deep.equal({
        applied: readMigrations().map(({ name }) => name),
        generated: generatedObjects().map(({ name }) => name),
        timezonesPublished: true,
      });
      const kathmandu =
        "SELECT dictGet('netpanel.timezone_span', 'utc_offset_s', cityHash64('Asia/Kathmandu') + bitShiftRight(toUnixTimestamp('2026-01-01 00:00:00', 'UTC'), 22)) AS offset";
      expect(await role.rows(kathmandu)).to.deep.equal([{ offset: 20_700 }]);
      const second = await migrateClickHouse(role.settings());
      expect(second).to.deep.equal({ applied: [], generated: [], timezonesPublished: false });
      // For the retention of the metadata service.
      for (const old of [
        "test_dns (organisation_id, dtime) SELECT 1, '2001-01-01'",
        "loaded_blocks (organisation_id, loaded_at) SELECT 1, '2001-01-01'",
      ]) {
        const body = `INSERT INTO netpanel.${old}`;
        const response = await fetch(role.settings().clickhouseUrl, { method: 'POST', body });
        expect(response.status, await response.text()).to.equal(200);
      }
    });

    it('suffices for netpanel doctor', async () => {
      const { code, stdout } = await netpanel(role, 'doctor');
      expect(code, stdout).to.equal(0);
      expect(stdout).to.match(/^ok +ClickHouse schema: up to date$/m);
    });
  });

  describe('load.sql', () => {
    const role = useRole(dataDir, 'load');

    it('suffices for netpanel load, which also fills the filter values', async () => {
      const folder = mkdtempSync(join(tmpdir(), 'netpanel-roles-'));
      try {
        const file = join(folder, 'httpget.csv');
        const results = [1, 2, 3].flatMap((ago) =>
          [1, 2].map((unit) => `${unit},${dayBefore(ago)} 10:00:00,n${ago},1000000,1`),
        );
        const lines = ['unit_id,dtime,target,bytes_sec,successes', ...results];
        writeFileSync(file, `${lines.join('\n')}\n`);
        const load = ['load', '--org', tenant.name, '--test', 'httpget', '--no-wait', file];
        const { code, stdout, stderr } = await netpanel(role, ...load);
        expect(code, stderr).to.equal(0);
        expect(stdout).to.include('6 rows loaded, 2 agents registered');
        writeFileSync(file, `${lines.join('\n').replace(',1000000,', ',2000000,')}\n`);
        const corrected = await netpanel(role, ...load, '--dry-run');
        expect(corrected.code, corrected.stderr).to.equal(7);
        expect(corrected.stdout).to.include('bytes_sec is 2000000, stored is 1000000');
      } finally {
        rmSync(folder, { recursive: true, force: true });
      }
    });
  });

  describe('metadata.sql', () => {
    const role = useRole(dataDir, 'metadata');

    it('suffices for publishing snapshots, twice, and for netpanel snapshot --verify', async () => {
      const service = await startServiceProcess('metadata', envOf(role));
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
            async () => (await stores!.database('snapshot_outbox').first()) === undefined,
          );
        }
      } finally {
        await service.kill('SIGTERM');
      }
      const { code, stdout, stderr } = await netpanel(role, 'snapshot', '--verify');
      expect(code, stderr).to.equal(0);
      expect(stdout).to.match(/^2 agents, \d+ periods, 0 differences, 0 changes/m);
    });

    it('suffices for removing old results, which it cannot read', async () => {
      const months = () =>
        role.rows("SELECT DISTINCT partition FROM system.parts WHERE table = 'test_dns'");
      expect(await months()).to.deep.equal([{ partition: '200101' }]);
      const { code, stdout, stderr } = await netpanel(role, 'retention', 'run');
      expect(code, `${stdout}${stderr}`).to.equal(0);
      expect(stdout).to.match(/^results +3650 .* 1 +-$/m);
      expect(stdout).to.match(/^loaded_blocks +3650 .* 1 +-$/m);
    });
  });

  describe('query.sql', () => {
    const role = useRole(dataDir, 'query');

    it('suffices for every endpoint of the query service and for its audit', async () => {
      const service = await startServiceProcess('query', envOf(role));
      try {
        await waitUntil(async () => {
          const { clickhouse, snapshot } = (await readinessOf(service)).dependencies;
          return clickhouse?.ok === true && snapshot?.ok === true;
        });
        const api = new DataApi(service.url, tenant.dataToken);
        const request = {
          ...plainRequest,
          normalised: true,
          prefilter: true,
          splits: ['isp', 'tier'],
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

        const known = await api.post('/metric_data', {
          ...request,
          knownAt: new Date().toISOString(),
        });
        expect(withoutPartial(known.body.data)).to.deep.equal(withoutPartial(body.data));

        // The views and functions of a report, beside the above.
        const report = await api.post('/metric_data', {
          ...request,
          normalised: false,
          coverage: true,
          switchers: 'longest',
          filters: [{ id: 'tier', filterType: 'include', filterValues: ['gold'] }],
        });
        expect(report.status, JSON.stringify(report.body)).to.equal(200);
        const [covered] = (report.body.data as { metricData: object[] }[])[0]!.metricData;
        expect(covered).to.include({ tier: 'gold', sampleCount: 1 });
        expect(covered).to.have.nested.property('coverage.agents', 1);

        const days = { test: 'httpget', date: { from: dayBefore(3), to: dayBefore(0) } };
        for (const [path, explained] of Object.entries({
          '/metric_data/explain': request,
          '/test_data/explain': days,
        })) {
          const plan = await api.post(path, explained);
          expect(plan.status, JSON.stringify(plan.body)).to.equal(200);
          expect(plan.body.data, path).to.have.nested.property('estimate.rows', 6);
        }
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
        const named = { id: 'unit', filterType: 'include', filterValues: ['2'] };
        const ofUnit = await api.post('/metric_data', { ...request, filters: [named] });
        expect(ofUnit.status, JSON.stringify(ofUnit.body)).to.equal(200);
        for (const [path, exported] of Object.entries({
          '/metric_data.csv': request,
          '/test_data.csv': days,
          '/test_data_download': { ...days, format: 'parquet' },
        })) {
          const { url, rows: rowCount } = fileData(await api.post(path, exported));
          expect(rowCount, path).to.equal(6);
          expect(await fetched(url), path).not.to.have.length(0);
        }
        for (const path of ['/metrics', '/tests', '/splits', '/filters']) {
          expect((await api.get(path)).status, path).to.equal(200);
        }
      } finally {
        // Writes the audit.
        await service.kill('SIGTERM');
      }
      // Such as a query of a background task that the role does not allow.
      expect(service.log()).not.to.match(/Code: \d+|ClickHouseError|ACCESS_DENIED|QUOTA/);
    });

    it('lets the service cancel its own queries', async () => {
      const slowQuery = 'SELECT sleepEachRow(1) FROM numbers(100) SETTINGS max_block_size = 1';
      const client = new AbortController();
      const query = fetch(role.settings().clickhouseUrl, {
        method: 'POST',
        body: slowQuery,
        signal: client.signal,
      }).catch(() => undefined);
      const running = `SELECT count() AS n FROM system.processes WHERE query LIKE 'SELECT sleepEachRow%'`;
      const isRunning = async () => (await role.rows<{ n: number }>(running))[0]?.n === 1;
      await waitUntil(isRunning);
      client.abort();
      await query;
      await waitUntil(async () => !(await isRunning()));
    });
  });

  describe('a role that can read the audit', () => {
    it('finds the queries that the query service wrote with its own role', async () => {
      const sql = 'CREATE ROLE IF NOT EXISTS some; GRANT SELECT ON netpanel.* TO some;';
      const server = await startWithUsers(dataDir, usersXml({ default: parseRole(sql) }));
      try {
        const body = 'SELECT route FROM netpanel.query_audit ORDER BY occurred_at';
        const response = await fetch(server.url, { method: 'POST', body });
        expect((await response.text()).trim().split('\n')).to.include.members([
          'POST /metric_data',
          'POST /test_data',
          'POST /test_data.csv',
        ]);
      } finally {
        await server.stop();
      }
    });
  });

  describe('metadata.sql, later', () => {
    const role = useRole(dataDir, 'metadata');

    it('suffices for erasing an agent and for replacing requests that name it', async () => {
      const service = await startServiceProcess('metadata', envOf(role));
      try {
        const client = metadataClient(service.url, tenant.metadataToken);
        const { body } = await client.delete('/metadata/unit/2');
        const { id } = body.data as { id: string };
        await waitUntil(async () => {
          const erasure = await client.get(`/erasures/${id}`);
          const { stepsDone } = erasure.body.data as { stepsDone: string[] };
          return stepsDone.includes('exports');
        });
        const erasure = await stores!
          .database('erasures')
          .where({ id })
          .first<{ report: { removed: object; redacted: object } }>('report');
        expect(erasure.report.removed).to.include({ test_httpget: 3, last_rows_httpget: 3 });
        expect(erasure.report.redacted).to.deep.equal({ query_audit: 1 });
      } finally {
        await service.kill('SIGTERM');
      }
    });
  });

  function envOf(role: ReturnType<typeof useRole>): Record<string, string> {
    return { ...role.env(), DATABASE_URL: stores!.env.DATABASE_URL! };
  }

  function netpanel(role: ReturnType<typeof useRole>, ...args: string[]) {
    return runNetpanel(envOf(role), args);
  }
});

/** With knownAt a day is over when it is over in every time zone: yesterday is partial until noon in UTC. */
function withoutPartial(data: unknown): unknown {
  const isKept = (name: string) => name !== 'partial';
  return JSON.parse(
    JSON.stringify(data, (name, value: unknown) => (isKept(name) ? value : undefined)),
  );
}
