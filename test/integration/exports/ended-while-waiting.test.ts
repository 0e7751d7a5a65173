import { expect } from 'chai';
import { ExportLedger } from '../../../services/query/export/export-ledger.ts';
import type { Database } from '../../../services/shared/postgres/connect-postgres.ts';
import { addExportRow } from '../../support/add-export-row.ts';
import { holdExport } from '../../support/background-export.ts';
import { DataApi } from '../../support/data-api.ts';
import { addManyDownloads } from '../../support/downloads.ts';
import { type ExportStore, exportStore } from '../../support/export-store.ts';
import { type LocalStack, localStack } from '../../support/local-stack.ts';
import { type QueryService, startQueryService } from '../../support/query-service.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

const request = { test: 'httpget', date: { from: '2026-01-01', to: '2026-01-02' } };

describe('an export that ends while its client waits', function () {
  this.timeout(180_000);
  let stack: LocalStack;
  let tenant: Tenant;
  let storage: ExportStore;
  let proxy: TcpProxy;
  let service: QueryService;
  let api: DataApi;

  before(async () => {
    stack = await localStack();
    tenant = await newTenant(stack.database);
    await addManyDownloads(stack.clickhouse, tenant.organisationId, 100_000);
    storage = await exportStore('folder');
    proxy = await startTcpProxy(stack.clickhouseUrl);
    service = await startQueryService({
      ...storage.settings,
      CLICKHOUSE_URL: proxy.url,
      EXPORT_HEARTBEAT_MS: '300',
      EXPORT_WAIT_MS: '60000',
    });
    api = new DataApi(service.url, tenant.dataToken);
  });

  after(async () => {
    proxy.heal();
    await service.stop();
    await proxy.stop();
    await storage.stop();
  });

  afterEach(() => proxy.heal());

  for (const path of ['/test_data.csv', '/test_data_download']) {
    it(`503 from ${path}: another replica missed its heartbeats and marked it as failed`, async () => {
      const { response, id } = await waitingRequest(path);
      // What a replica does after ten missed heartbeats.
      const replica = new ExportLedger(
        { requests: stack.database, background: stack.database },
        storage.store.name,
        300,
      );
      await waitUntil(async () => {
        await stack
          .database('exports')
          .where({ id })
          .update({ lost_at: new Date(0) });
        await replica.failLost([]);
        return (await statusOf(id)) === 'failed';
      });
      const { status, body } = await response;
      expect({ status, body }).to.deep.equal({
        status: 503,
        body: {
          code: 'SERVICE_UNAVAILABLE',
          message: 'The export was interrupted. Please start it again.',
        },
      });
      expect(await storage.unfinished()).to.deep.equal([]);
    });

    it(`409 from ${path}: it was cancelled`, async () => {
      const { response, id } = await waitingRequest(path);
      expect((await api.send('DELETE', `/exports/${id}`, {})).status).to.equal(200);
      const { status, body } = await response;
      expect({ status, code: body.code }).to.deep.equal({ status: 409, code: 'EXPORT_CANCELLED' });
      expect(await storage.unfinished()).to.deep.equal([]);
    });
  }

  it('is never marked as failed by the process that runs it, even with late heartbeats', async () => {
    const statuses = await inRolledBackTransaction(async (database) => {
      const [own, lost] = [await addLostExport(database), await addLostExport(database)];
      await new ExportLedger(
        { requests: database, background: database },
        storage.store.name,
        300,
      ).failLost([own]);
      return Promise.all([own, lost].map((id) => statusOf(id, database)));
    });
    expect(statuses).to.deep.equal(['running', 'failed']);
  });

  /** A request that waits for an incomplete file, and the id of its export. */
  async function waitingRequest(path: string) {
    holdExport(proxy);
    const response = api.post(path, request);
    await waitUntil(async () => (await storage.unfinished()).length === 1);
    const { id } = await stack
      .database('exports')
      .where({ organisation_id: tenant.organisationId, status: 'running' })
      .first<{ id: string }>('id');
    return { response, id };
  }

  /** Hides the rows from the other services on this database. */
  async function inRolledBackTransaction<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const transaction = await stack.database.transaction();
    try {
      return await work(transaction);
    } finally {
      await transaction.rollback();
    }
  }

  function addLostExport(database: Database): Promise<string> {
    return addExportRow(database, tenant, {
      store: storage.store.name,
      lost_at: new Date(0),
      expires_at: new Date(Date.now() + 3_600_000),
    });
  }

  async function statusOf(id: string, database: Database = stack.database): Promise<string> {
    return (await database('exports').where({ id }).first<{ status: string }>('status')).status;
  }
});
