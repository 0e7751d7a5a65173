import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { retentionRules } from '../../../services/metadata/retention/retention-rules.ts';
import type { RetentionConfig } from '../../../services/metadata/retention/retention-settings.ts';
import { runRetention } from '../../../services/metadata/retention/run-retention.ts';
import { queryRows } from '../../../services/shared/clickhouse/query-rows.ts';
import { addDownloads } from '../../support/downloads.ts';
import { type IsolatedStores, isolatedStores } from '../../support/isolated-stores.ts';
import { spawnNetpanel } from '../../support/netpanel.ts';
import { runBuilt } from '../../support/run-built.ts';
import { startServiceProcess } from '../../support/service-process.ts';
import { addAgent, newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

const dayMs = 86_400_000;
const days: RetentionConfig = {
  retentionResultsDays: 365,
  retentionMetadataVersionsDays: 300,
  retentionAuditDays: 200,
  retentionCallCountsDays: 100,
};
const forEver: RetentionConfig = {
  retentionResultsDays: 0,
  retentionMetadataVersionsDays: 0,
  retentionAuditDays: 0,
  retentionCallCountsDays: 0,
};

describe('retention', function () {
  this.timeout(240_000);
  let stores: IsolatedStores;
  let tenant: Tenant;

  before(async () => {
    stores = await isolatedStores();
    tenant = await newTenant(stores.database);
  });
  after(() => stores.close());

  describe('in Postgres', () => {
    // Not in the future: the database refuses to delete young audit events by its own clock.
    const now = new Date();
    const daysAgo = (number: number, plusMs = 0) =>
      new Date(now.getTime() - number * dayMs + plusMs);

    it('removes exactly what is older than its period, once', async () => {
      const { database } = stores;
      await addEvents(daysAgo(200, -1), daysAgo(200), daysAgo(199));
      const lastDay = daysAgo(100).toISOString().slice(0, 10);
      await addCallCounts(daysAgo(101).toISOString().slice(0, 10), lastDay);
      const changes = await addHistory(daysAgo(300, -1), daysAgo(300));

      const removed = await run(days, now);
      expect(removed).to.deep.include({
        audit_events: 1,
        call_counts: 1,
        metadata_versions: 1,
        metadata_changes: 1,
      });
      const events = await database('audit_events')
        .where({ target: 'retention-test' })
        .orderBy('id')
        .pluck<Date[]>('occurred_at');
      expect(events).to.deep.equal([daysAgo(200), daysAgo(199)]);
      const counted = await database.raw<{ rows: { day: string }[] }>(
        'select day::text as day from api_call_counts',
      );
      expect(counted.rows).to.deep.equal([{ day: lastDay }]);
      // The oldest version is gone, and with it the change that no other version refers to.
      expect(await database('agent_metadata').orderBy('id').pluck('recorded_by')).to.deep.equal(
        changes.slice(1),
      );
      expect(await database('metadata_changes').orderBy('id').pluck('id')).to.deep.equal(
        changes.slice(1),
      );
      // Metadata as it was recorded before the end of that version cannot be reproduced any more.
      expect(await database('metadata_history_start').pluck('kept_since')).to.deep.equal([
        daysAgo(300, -1),
      ]);
      expect(Object.values(await run(days, now)).every((rows) => rows === 0)).to.equal(true);
    });

    it('removes nothing where the period is 0', async () => {
      await addEvents(new Date('2001-01-01'));
      await addCallCounts('2001-01-01');
      const removed = await run(forEver, now);
      expect(Object.values(removed).every((rows) => rows === 0)).to.equal(true);
      expect((await run(days, now)).audit_events).to.equal(1);
    });

    it('is the only way to delete history, and records what it removed', async () => {
      const { database } = stores;
      for (const table of ['agent_metadata', 'metadata_changes', 'audit_events']) {
        const error = await database(table)
          .delete()
          .then(() => undefined, String);
        expect(error, table).to.match(/cannot be (changed or )?deleted/);
      }
      const recorded = await database('audit_events')
        .where({ action: 'retention.remove', target: 'metadata_versions' })
        .first<{ actor: string; details: object }>('actor', 'details');
      expect(recorded.actor).to.equal('test');
      expect(recorded.details).to.include({ rows: 1, days: 300 });
    });

    it('is continued after a kill in the middle', async () => {
      const { database } = stores;
      await addEvents(new Date('2001-01-01'));
      await addCallCounts('2001-01-01', '2001-01-02');
      // The rule of call counts is the last. It waits for this lock while the process is killed.
      const holder = await database.transaction();
      await holder.raw('lock table api_call_counts in access exclusive mode');
      const killed = spawnNetpanel(stores, 'retention', 'run');
      const ended = new Promise((resolve) => killed.once('close', resolve));
      await waitUntil(async () => !(await hasOldEvents()), 60_000);
      killed.kill('SIGKILL');
      await ended;
      await holder.rollback();
      const counts = () => database('api_call_counts').where('day', '<', '2002-01-01').pluck('day');
      expect(await counts()).to.have.length(2);
      // Postgres notices the end of the connections, which hold locks, after a moment.
      await waitUntil(async () => {
        await attempt(days, now);
        return (await counts()).length === 0;
      }, 60_000);
    });

    it('removes more rows than one batch has, and ends between batches on shutdown', async () => {
      const { database } = stores;
      await database.raw(
        `insert into audit_events (occurred_at, actor, action, target)
         select timestamptz '2001-01-01', 'test', 'test', 'retention-test' from generate_series(1, 12000)`,
      );
      const stop = new AbortController();
      const rules = retentionRules(retentionStores(), days);
      const removed: number[] = [];
      await runRetention({
        database,
        rules,
        actor: 'test',
        now,
        signal: stop.signal,
        onRemoved: ({ name }, rows) => {
          if (name !== 'audit_events') return;
          removed.push(rows);
          stop.abort();
        },
      });
      expect(removed).to.deep.equal([5_000]);
      expect((await run(days, now)).audit_events).to.equal(7_000);
    });

    async function hasOldEvents(): Promise<boolean> {
      const found = await stores
        .database('audit_events')
        .where('occurred_at', '<', '2002-01-01')
        .first<{ id: number } | undefined>('id');
      return found !== undefined;
    }

    async function addEvents(...times: Date[]): Promise<void> {
      await stores.database('audit_events').insert(
        times.map((occurred_at) => ({
          occurred_at,
          actor: 'test',
          action: 'test',
          target: 'retention-test',
        })),
      );
    }

    async function addCallCounts(...dates: string[]): Promise<void> {
      const token = await stores.database('api_tokens').first<{ id: number }>('id');
      await stores.database('api_call_counts').insert(
        dates.map((day) => ({
          day,
          organisation_id: tenant.organisationId,
          token_id: token.id,
          route: 'GET /metadata',
          status: 200,
          call_count: 1,
        })),
      );
    }

    /** Three versions of an agent's metadata, the first two superseded at these times. Returns their changes. */
    async function addHistory(first: Date, second: Date): Promise<readonly number[]> {
      const { database } = stores;
      const { organisationId } = tenant;
      const agentKey = await addAgent(database, organisationId, { agentId: randomUUID() });
      const recorded = new Date('2001-01-01');
      const changes = await database('metadata_changes')
        .insert(
          [1, 2, 3].map(() => ({
            organisation_id: organisationId,
            recorded_at: recorded,
            request: '{}',
            agent_count: 1,
          })),
        )
        .returning<{ id: number }[]>('id');
      const ids = changes.map(({ id }) => id);
      await database('agent_metadata').insert(
        [first, second, null].map((superseded_at, i) => ({
          agent_key: agentKey,
          organisation_id: organisationId,
          valid: '[,)',
          recorded_at: recorded,
          recorded_by: ids[i],
          superseded_at,
          // By the version after the next one, so that the first change is referred to only by its own version.
          superseded_by: superseded_at === null ? null : ids[2],
        })),
      );
      return ids;
    }
  });

  describe('in ClickHouse', () => {
    it('drops a month when its last moment is old enough, from results and from the audit', async () => {
      await addResults('2025-01-31 23:59:59', '2025-02-01 00:00:00', '2025-02-28 23:59:59.999');
      await addAudit('2025-07-31 23:59:59', '2025-08-01 00:00:00');
      const marchFirst = Date.parse('2025-03-01T00:00:00Z');

      const before = await run(days, new Date(marchFirst + 365 * dayMs - 1));
      // January: one result, and its copy in last_rows_httpget.
      expect(before.results).to.equal(2);
      expect(await months('test_httpget')).to.deep.equal(['202502']);
      expect(await months('last_rows_httpget')).to.deep.equal(['202502']);
      expect(await months('query_audit')).to.deep.equal(['202508']);

      const at = await run(days, new Date(marchFirst + 365 * dayMs));
      expect(at.results).to.equal(4);
      expect(await months('test_httpget')).to.deep.equal([]);
      expect((await run(days, new Date(marchFirst + 365 * dayMs))).results).to.equal(0);
    });

    it('removes records of loads, and versions of snapshots that are not in use', async () => {
      const { clickhouse } = stores;
      const now = new Date('2026-01-01T00:00:00Z');
      const block = { organisation_id: 1, test: 'dns', row_count: 1 };
      await clickhouse.insert({
        table: 'loaded_blocks',
        format: 'JSONEachRow',
        values: [
          { ...block, sha256: 'old', loaded_at: '2024-12-31 23:59:59.999' },
          { ...block, sha256: 'young', loaded_at: '2025-01-01 00:00:00.000' },
        ],
      });
      const old = '2001-01-01 00:00:00.000';
      await clickhouse.insert({
        table: 'agent_metadata_version',
        format: 'JSONEachRow',
        values: [1, 2, 3].map((version) => ({
          version,
          row_count: 0,
          content_hash: 0,
          published_at: old,
        })),
      });
      await clickhouse.insert({
        table: 'agent_metadata_snapshot',
        format: 'JSONEachRow',
        values: [{ version: 1, organisation_id: 1, agent_key: 1 }],
      });
      expect(await run(days, now)).to.include({ loaded_blocks: 1, snapshot_versions: 1 });
      const blocks = 'SELECT sha256 FROM loaded_blocks';
      expect(await queryRows(clickhouse, blocks)).to.deep.equal([{ sha256: 'young' }]);
      const versions = 'SELECT toUInt32(version) AS v FROM agent_metadata_version ORDER BY v';
      expect(await queryRows(clickhouse, versions)).to.deep.equal([{ v: 1 }, { v: 3 }]);
      await clickhouse.command({ query: 'TRUNCATE TABLE agent_metadata_version' });
      await clickhouse.command({ query: 'TRUNCATE TABLE agent_metadata_snapshot' });
    });
  });

  describe('by the command line and the metadata service', () => {
    const settings = { RETENTION_RESULTS_DAYS: '365' };

    it('counts with --dry-run what a run removes', async () => {
      await addResults('2020-05-05 00:00:00');
      const dryRun = await command('run', '--dry-run');
      expect(row(dryRun, 'results')).to.include({ days: 365, 'would be removed': 2 });
      expect(await months('test_httpget')).to.deep.equal(['202005']);
      expect(row(await command('run'), 'results')).to.include({ removed: 2, failure: null });
      expect(row(await command('list'), 'results')).to.include({ days: 365, removed: 2 });
    });

    it('runs when the service starts, and when a rule was not complete for a day', async () => {
      await stores.database('retention_state').update({ finished_at: new Date('2026-01-01') });
      await addResults('2020-05-05 00:00:00');
      const service = await startServiceProcess('metadata', { ...stores.env, ...settings });
      try {
        await waitUntil(async () => (await months('test_httpget')).length === 0, 60_000);
        await waitUntil(async () => {
          const stale = await stores
            .database('retention_state')
            .where('finished_at', '<', '2026-01-02')
            .orWhereNotNull('failure');
          return stale.length === 0;
        }, 60_000);
        const text = await (await fetch(`${service.opsUrl}/metrics`)).text();
        expect(text).to.match(/netpanel_retention_removed_rows_total\{rule="results"[^}]*\} 2\n/);
        expect(text).to.match(/netpanel_retention_age_seconds\{[^}]*\} [\d.]+\n/);
      } finally {
        await service.kill('SIGTERM');
      }
    });

    type Listed = Readonly<Record<string, unknown>>;

    async function command(...args: string[]): Promise<readonly Listed[]> {
      const env = { ...stores.env, ...settings };
      const all = ['retention', ...args, '--json'];
      const { code, stdout, stderr } = await runBuilt('services/cli/netpanel.js', env, all);
      expect(code, stderr).to.equal(0);
      return JSON.parse(stdout) as Listed[];
    }

    function row(listed: readonly Listed[], rule: string): Listed | undefined {
      return listed.find((one) => one.rule === rule);
    }
  });

  function retentionStores() {
    return { database: stores.database, clickhouse: stores.clickhouse, cluster: '' };
  }

  function attempt(config: RetentionConfig, now: Date) {
    const { database } = stores;
    const rules = retentionRules(retentionStores(), config);
    return runRetention({ database, rules, actor: 'test', now });
  }

  /** The removed rows by rule. */
  async function run(config: RetentionConfig, now: Date): Promise<Record<string, number>> {
    const results = (await attempt(config, now)) ?? expect.fail('another process has the lock');
    for (const { failure } of results) expect(failure).to.equal(undefined);
    return Object.fromEntries(results.map(({ rule, removed }) => [rule.name, removed]));
  }

  async function addResults(...times: string[]): Promise<void> {
    await addDownloads(
      stores.clickhouse,
      tenant.organisationId,
      times.map((dtime) => ({ agentKey: 1, agentId: 'a', dtime, mbps: 10 })),
    );
  }

  async function addAudit(...times: string[]): Promise<void> {
    await stores.clickhouse.insert({
      table: 'query_audit',
      format: 'JSONEachRow',
      values: times.map((occurred_at) => ({ occurred_at, organisation_id: 1, route: 'test' })),
    });
  }

  async function months(table: string): Promise<readonly string[]> {
    const rows = await queryRows<{ partition: string }>(
      stores.clickhouse,
      `SELECT DISTINCT partition FROM system.parts
WHERE database = currentDatabase() AND table = '${table}' AND active ORDER BY partition`,
    );
    return rows.map(({ partition }) => partition);
  }
});
