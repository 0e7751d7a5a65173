import { expect } from 'chai';
import { type IsolatedStores, isolatedStores } from '../support/isolated-stores.ts';
import { localStack } from '../support/local-stack.ts';
import { metadataClient, type MetadataClient } from '../support/metadata-client.ts';
import { readinessOf } from '../support/readiness-of.ts';
import { ScrapedMetrics } from '../support/scraped-metrics.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { addAgent, newTenant } from '../support/tenant.ts';
import { waitUntil } from '../support/wait-until.ts';

const poolMax = 2;

describe('a metadata service without free connections to Postgres', () => {
  let stores: IsolatedStores;
  let service: ServiceProcess;
  let own: MetadataClient;
  let other: MetadataClient;

  before(async () => {
    stores = await isolatedStores();
    const clients = [];
    for (const unitId of [1, 2]) {
      const { organisationId, metadataToken } = await newTenant(stores.database);
      await addAgent(stores.database, organisationId, { agentId: `box-${unitId}`, unitId });
      clients.push((url: string) => metadataClient(url, metadataToken));
    }
    service = await startServiceProcess('metadata', {
      ...stores.env,
      DATABASE_POOL_MAX: String(poolMax),
      // Longer than a request waits for a connection. The requests that have one wait for so long.
      DATABASE_TIMEOUT_MS: '12000',
      // Both organisations together fill the pool.
      MAX_RUNNING_LISTINGS: '20',
    });
    [own, other] = clients.map((client) => client(service.url)) as [MetadataClient, MetadataClient];
  });
  after(async () => {
    await service.kill('SIGKILL');
    await stores.close();
  });

  it('503: requests that got none in time, while it stays ready; then all is as before', async () => {
    const lock = await stores.database.transaction();
    try {
      await lock.raw('lock table agents in access exclusive mode');
      const reads = Array.from({ length: 4 * poolMax }, () => own.get('/agents'));
      await waitUntil(async () => (await connections('waiting')) > 0);
      // Authentication and readiness have connections of their own.
      expect(await readinessOf(service)).to.include({ httpStatus: 200, status: 'ready' });
      expect((await metadataClient(service.url, 'np_m_wrong').get('/agents')).status).to.equal(403);
      const refused = (await Promise.all([other.get('/agents'), ...reads.slice(poolMax)]))[0];
      expect(refused.status).to.equal(503);
      expect(refused.body.code).to.equal('SERVICE_UNAVAILABLE');
      await lock.rollback();
      const statuses = (await Promise.all(reads)).map(({ status }) => status);
      for (const status of statuses) expect(status).to.be.oneOf([200, 503]);
    } finally {
      if (!lock.isCompleted()) await lock.rollback();
    }
    await expectHealthy();
  });

  it('503: the server refuses connections, also in readiness; then all is as before', async () => {
    const { database } = await localStack();
    const name = new URL(stores.env.DATABASE_URL!).pathname.slice(1);
    await database.raw('alter database ?? connection limit 0', [name]);
    try {
      await database.raw(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = ? and application_name like 'netpanel-metadata%'`,
        [name],
      );
      await waitUntil(async () => (await readinessOf(service)).httpStatus === 503);
      const refused = await own.get('/agents');
      expect(refused.status, JSON.stringify(refused.body)).to.equal(503);
      expect(refused.body.code).to.equal('SERVICE_UNAVAILABLE');
      const change = { agent: { unit_id: 1 }, metadata: { timezone: 'Europe/London' } };
      expect((await own.put(change)).status).to.equal(503);
    } finally {
      await database.raw('alter database ?? connection limit -1', [name]);
    }
    await expectHealthy();
  });

  /** Ready, with responses, and without connections that nothing uses. */
  async function expectHealthy(): Promise<void> {
    await waitUntil(async () => (await readinessOf(service)).httpStatus === 200);
    for (const client of [own, other]) {
      await waitUntil(async () => (await client.get('/agents')).status === 200);
    }
    await waitUntil(async () => (await connections('used')) + (await connections('waiting')) === 0);
    const { rows } = await stores.database.raw<{ rows: [{ open: number }] }>(
      `select count(*)::int as open from pg_stat_activity
       where datname = current_database() and application_name = 'netpanel-metadata-requests'`,
    );
    expect(rows[0].open).to.be.at.most(poolMax);
  }

  /** Of the pool of requests. */
  async function connections(state: 'used' | 'waiting'): Promise<number> {
    const metrics = await ScrapedMetrics.from(service.opsUrl);
    return metrics.value('netpanel_postgres_connections', { pool: 'requests', state });
  }
});
