import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type Balancer, startBalancer } from '../../support/balancer.ts';
import { addManyDownloads } from '../../support/downloads.ts';
import { type ExportStore, exportStore } from '../../support/export-store.ts';
import { type IsolatedStores, isolatedStores } from '../../support/isolated-stores.ts';
import { runNetpanel } from '../../support/netpanel.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts';
import { addAgent, newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

const rowCount = 20_000;

describe('a rolling update under load', () => {
  let stores: IsolatedStores;
  let storage: ExportStore;
  let tenant: Tenant;
  const replicas: Record<'query' | 'metadata', ServiceProcess[]> = { query: [], metadata: [] };
  const balancers = {} as Record<'query' | 'metadata', Balancer>;

  before(async () => {
    stores = await isolatedStores();
    storage = await exportStore('s3');
    tenant = await newTenant(stores.database);
    await addAgent(stores.database, tenant.organisationId, { agentId: 'box-1', unitId: 1 });
    await addManyDownloads(stores.clickhouse, tenant.organisationId, rowCount);
    for (const name of ['query', 'metadata'] as const) {
      balancers[name] = await startBalancer();
      replicas[name].push(await startReplica(name), await startReplica(name));
      balancers[name].use(replicas[name].map(({ url }) => url));
    }
  });
  after(async () => {
    for (const one of Object.values(balancers)) await one.stop();
    for (const one of Object.values(replicas).flat()) await one.kill('SIGTERM');
    await storage.stop();
    await stores.close();
  });

  it('with a migration loses no request and no export', async () => {
    let isDone = false;
    const failures: string[] = [];
    const counts = { query: 0, change: 0, export: 0 };
    const ids: string[] = [];
    const repeat = async (kind: keyof typeof counts, send: () => Promise<string | undefined>) => {
      while (!isDone) {
        const failure = await send().catch(String);
        if (failure !== undefined) failures.push(`${kind}: ${failure}`);
        counts[kind]++;
        // Leaves the cores to the replicas that start.
        await sleep(50);
      }
    };
    const load = Promise.all([
      repeat('query', () => sendQuery()),
      repeat('query', () => sendQuery()),
      repeat('change', () => sendChange(counts.change)),
      repeat('export', () => startExport(ids)),
    ]);
    // As a helm upgrade: the migration first, then one pod after the other.
    await migrateToNextSchema();
    for (const name of ['query', 'metadata'] as const) {
      for (const old of [...replicas[name]]) await replace(name, old);
    }
    isDone = true;
    await load;
    expect(failures).to.deep.equal([]);
    for (const count of Object.values(counts)) expect(count).to.be.greaterThan(3);
    for (const id of ids) {
      const done = { status: 'done', row_count: rowCount };
      await waitUntil(async () => (await rowOf(id))?.status !== 'running');
      expect(await rowOf(id)).to.include(done);
    }
  });

  /** A new replica receives requests when it is ready; the old one gets none before its SIGTERM. */
  async function replace(name: 'query' | 'metadata', old: ServiceProcess): Promise<void> {
    const fresh = await startReplica(name);
    replicas[name] = [...replicas[name].filter((one) => one !== old), fresh];
    balancers[name].use(replicas[name].map(({ url }) => url));
    expect(await old.kill('SIGTERM')).to.equal(0);
  }

  function startReplica(name: 'query' | 'metadata'): Promise<ServiceProcess> {
    return startServiceProcess(name, {
      ...stores.env,
      ...storage.settings,
      EXPORT_HEARTBEAT_MS: '500',
      EXPORT_LINK_SECRET: 'the same secret in all the replicas',
      // Shorter than an export may take on a busy machine: another replica starts it again.
      STOP_GRACE_MS: '3000',
      MAX_RUNNING_EXPORTS: '1000',
      MAX_RUNNING_EXPORTS_TOTAL: '1000',
    });
  }

  /** What the next release may do: the replicas that run do not know the new columns and tables. */
  async function migrateToNextSchema(): Promise<void> {
    await stores.database.raw('alter table exports add column next_release text');
    await stores.database.raw('create table next_release (id integer primary key)');
    const query =
      "ALTER TABLE test_httpget ADD COLUMN next_release LowCardinality(String) DEFAULT ''";
    await stores.clickhouse.command({ query });
    const { code, stderr } = await runNetpanel(stores.env, ['migrate']);
    expect(code, stderr).to.equal(0);
  }

  async function sendQuery(): Promise<string | undefined> {
    const reply = await post('/metric_data', {
      ...plainRequest,
      prefilter: true,
      time: { from: '2026-01-01 00:00', to: '2026-01-01 23:59' },
    });
    const text = await reply.text();
    return reply.status === 200 ? undefined : `${reply.status} ${text}`;
  }

  async function startExport(ids: string[]): Promise<string | undefined> {
    const date = { from: '2026-01-01', to: '2026-01-31' };
    const reply = await post('/test_data.csv', { test: 'httpget', date }, 'respond-async');
    const { data } = (await reply.json()) as { data?: { id: string } };
    if (reply.status !== 202 || data === undefined) return `${reply.status}`;
    ids.push(data.id);
    // One after another: the load is not the subject.
    await waitUntil(async () => (await rowOf(data.id))?.status !== 'running');
    return undefined;
  }

  async function sendChange(number: number): Promise<string | undefined> {
    const reply = await fetch(`${balancers.metadata.url}/metadata`, {
      method: 'PUT',
      headers: {
        authorization: `Bearer ${tenant.metadataToken}`,
        'content-type': 'application/json',
      },
      body: JSON.stringify({
        agent: { unit_id: 1 },
        metadata: { custom: { round: String(number) } },
      }),
    });
    const text = await reply.text();
    return reply.ok ? undefined : `${reply.status} ${text}`;
  }

  function post(path: string, body: unknown, prefer?: string): Promise<Response> {
    return fetch(`${balancers.query.url}${path}`, {
      method: 'POST',
      headers: {
        authorization: tenant.dataToken,
        'content-type': 'application/json',
        ...(prefer !== undefined && { prefer }),
      },
      body: JSON.stringify(body),
    });
  }

  function rowOf(id: string): Promise<Record<string, unknown> | undefined> {
    return stores.database('exports').where({ id }).first<Record<string, unknown> | undefined>();
  }
});
