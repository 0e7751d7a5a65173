import { expect } from 'chai';
import { isolatedStores, type IsolatedStores } from '../../support/isolated-stores.ts';
import { addExportRow } from '../../support/add-export-row.ts';
import { DataApi } from '../../support/data-api.ts';
import { type QueryService, startQueryService } from '../../support/query-service.ts';
import { newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { LinkSigner } from '../../../services/query/export/link-signer.ts';

describe('requests of clients about exports', () => {
  const secret = 'a secret of the tests, long enough';
  let stores: IsolatedStores;
  let service: QueryService;
  let tenant: Tenant;
  let id: string;

  before(async () => {
    stores = await isolatedStores();
    tenant = await newTenant(stores.database);
    service = await startQueryService({ ...stores.env, EXPORT_LINK_SECRET: secret });
    id = await addExportRow(stores.database, tenant, {
      store: 'folder',
      status: 'failed',
      swept_at: new Date(),
      audited_at: new Date(),
      failure_code: 'SERVICE_UNAVAILABLE',
      failure_message: 'The export was interrupted. Please start it again.',
      lost_at: new Date(),
      finished_at: new Date(),
      expires_at: new Date(Date.now() + 86_400_000),
    });
  });

  after(async () => {
    await service.stop();
    await stores.close();
  });

  it('wait on connections of requests, so that they cannot delay heartbeats', async () => {
    const lock = await stores.database.transaction();
    await lock.raw('lock table exports in access exclusive mode');
    const link = new LinkSigner(service.url, secret).link(`/csv/${id}`, new Date(Date.now() + 1e6));
    const statuses = Promise.all([
      new DataApi(service.url, tenant.dataToken).get(`/exports/${id}`).then(({ status }) => status),
      fetch(link).then(({ status }) => status),
    ]);
    try {
      await waitUntil(async () => (await waitingRequests()) === 2);
    } finally {
      await lock.rollback();
    }
    // The link of a failed export leads nowhere.
    expect(await statuses).to.deep.equal([200, 404]);
  });

  it('cancel on connections of requests, too', async () => {
    const done = await addExportRow(stores.database, tenant, {
      store: 'folder',
      status: 'done',
      sha256: Buffer.alloc(32),
      audited_at: new Date(),
      lost_at: new Date(),
      finished_at: new Date(),
      expires_at: new Date(Date.now() + 86_400_000),
    });
    const lock = await stores.database.transaction();
    await lock('exports').where({ id: done }).forUpdate().first('id');
    const deleted = new DataApi(service.url, tenant.dataToken).send(
      'DELETE',
      `/exports/${done}`,
      {},
    );
    try {
      await waitUntil(async () => (await waitingRequests()) === 1);
    } finally {
      await lock.rollback();
    }
    const { status, body } = await deleted;
    expect(status).to.equal(200);
    expect(body.data).to.include({ status: 'cancelled' });
  });

  /** Statements of the pool for requests that wait for the lock. */
  async function waitingRequests(): Promise<number> {
    const [row] = await stores
      .database('pg_stat_activity')
      .where({ application_name: 'netpanel-query-requests', wait_event_type: 'Lock' })
      .whereRaw('datname = current_database()')
      .count<{ count: number }[]>('* as count');
    return row!.count;
  }
});
