import { expect } from 'chai';
import { metadataClient } from '../support/metadata-client.ts';
import { type MetadataTenant, metadataTenant } from '../support/metadata-tenant.ts';
import { ScrapedMetrics } from '../support/scraped-metrics.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('a change of a client that disconnects', () => {
  let service: ServiceProcess;
  let own: MetadataTenant;

  before(async () => {
    service = await startServiceProcess('metadata', {
      MAX_RUNNING_CHANGES: '1',
      CHANGE_QUEUE_MS: '120000',
      CHANGE_LOCK_TIMEOUT_MS: '120000',
    });
    own = await metadataTenant(1);
  });
  after(() => service.kill('SIGKILL'));

  it('is completed if it has begun, and not applied if it was still queued', async () => {
    const { database, tenant } = own;
    const holder = await database.transaction();
    await holder.raw('select pg_advisory_xact_lock(1, ?)', [tenant.organisationId]);
    const clients = [new AbortController(), new AbortController()] as const;
    try {
      const begun = put('begun', clients[0].signal);
      await waitUntil(async () => (await waitingLocks()) === 1);
      const queued = put('queued', clients[1].signal);
      await waitUntil(async () => (await queuedChanges()) === 1);
      for (const client of clients) client.abort();
      expect([await begun, await queued]).to.deep.equal(['disconnected', 'disconnected']);
      await waitUntil(async () => (await queuedChanges()) === 0);
    } finally {
      await holder.rollback();
    }
    // Changes run one after the other: this one is the last.
    expect(await put('last')).to.equal(200);
    const client = metadataClient(service.url, tenant.metadataToken);
    expect((await client.get('/metadata/unit/1')).body.data).to.have.deep.property('custom', {
      begun: 'yes',
      last: 'yes',
    });
  });

  async function put(key: string, signal?: AbortSignal): Promise<number | 'disconnected'> {
    try {
      const response = await fetch(`${service.url}/metadata`, {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${own.tenant.metadataToken}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ agent: { unit_id: 1 }, metadata: { custom: { [key]: 'yes' } } }),
        ...(signal === undefined ? {} : { signal }),
      });
      return response.status;
    } catch {
      return 'disconnected';
    }
  }

  async function queuedChanges(): Promise<number> {
    return (await ScrapedMetrics.from(service.opsUrl)).value('netpanel_change_slots_waiting');
  }

  async function waitingLocks(): Promise<number> {
    const { rows } = await own.database.raw<{ rows: [{ count: number }] }>(
      `select count(*) from pg_locks
       where locktype = 'advisory' and not granted and objid::bigint = ?`,
      [own.tenant.organisationId],
    );
    return rows[0].count;
  }
});
