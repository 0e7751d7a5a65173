import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { ExportLedger } from '../../../services/query/export/export-ledger.ts';
import type { Database } from '../../../services/shared/postgres/connect-postgres.ts';
import { DataApi } from '../../support/data-api.ts';
import { addManyDownloads } from '../../support/downloads.ts';
import { type ExportStore, exportStore } from '../../support/export-store.ts';
import { type LocalStack, localStack } from '../../support/local-stack.ts';
import { type QueryService, startQueryService } from '../../support/query-service.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { newTenant, type Tenant } from '../../support/tenant.ts';
import { until } from '../../support/until.ts';

const request = { test: 'httpget', date: { from: '2026-01-01', to: '2026-01-02' } };

describe('An export that is ended while its caller waits', function () {
  this.timeout(180_000);
  let stack: LocalStack;
  let tenant: Tenant;
  let at: ExportStore;
  let proxy: TcpProxy;
  let service: QueryService;
  let api: DataApi;

  before(async () => {
    stack = await localStack();
    tenant = await newTenant(stack.database);
    await addManyDownloads(stack.clickhouse, tenant.organisationId, 100_000);
    at = await exportStore('folder');
    proxy = await startTcpProxy(stack.clickhouseUrl);
    service = await startQueryService({
      ...at.settings,
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
    await at.stop();
  });

  afterEach(() => proxy.heal());

  for (const path of ['/test_data.csv', '/test_data_download']) {
    it(`503 of ${path}: another replica has missed its heartbeats`, async () => {
      const { answer, id } = await waitingCall(path);
      // A replica that missed ten heartbeats does this.
      const replica = new ExportLedger(stack.database, at.store.name, 300);
      await until(async () => {
        await stack
          .database('exports')
          .where({ id })
          .update({ lost_at: new Date(0) });
        await replica.failLost([]);
        return (await rowOf(id)).status === 'failed';
      });
      const { status, body } = await answer;
      expect({ status, body }).to.deep.equal({
        status: 503,
        body: {
          code: 'SERVICE_UNAVAILABLE',
          message: 'The export was interrupted. Please start it again.',
        },
      });
      expect(await at.unfinished()).to.deep.equal([]);
    });

    it(`409 of ${path}: it was cancelled`, async () => {
      const { answer, id } = await waitingCall(path);
      expect((await api.send('DELETE', `/exports/${id}`, {})).status).to.equal(200);
      const { status, body } = await answer;
      expect({ status, code: body.code }).to.deep.equal({ status: 409, code: 'EXPORT_CANCELLED' });
      expect(await at.unfinished()).to.deep.equal([]);
    });
  }

  it('is not given up by the process that runs it, however late its heartbeats are', async () => {
    const [own, lost] = [randomUUID(), randomUUID()];
    const statuses = await inRolledBackTransaction(async (database) => {
      for (const id of [own, lost]) await addLostExport(database, id);
      await new ExportLedger(database, at.store.name, 300).failLost([own]);
      return Promise.all([own, lost].map((id) => statusOf(database, id)));
    });
    expect(statuses).to.deep.equal(['running', 'failed']);
  });

  /** A call whose file is half-written, and its export. */
  async function waitingCall(path: string) {
    proxy.fault({ kind: 'hold', direction: 'to the service', afterBytes: 5 * 1024 * 1024 });
    const answer = api.post(path, request);
    await until(async () => (await at.unfinished()).length === 1);
    const { id } = await stack
      .database('exports')
      .where({ organisation_id: tenant.organisationId, status: 'running' })
      .first<{ id: string }>('id');
    return { answer, id };
  }

  async function rowOf(id: string): Promise<{ status: string }> {
    return stack.database('exports').where({ id }).first<{ status: string }>('status');
  }

  /** What no other service on this database sees. */
  async function inRolledBackTransaction<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const transaction = await stack.database.transaction();
    try {
      return await work(transaction);
    } finally {
      await transaction.rollback();
    }
  }

  async function addLostExport(database: Database, id: string): Promise<void> {
    const token = await database('api_tokens')
      .where({ organisation_id: tenant.organisationId, interface: 'data' })
      .first<{ id: number }>('id');
    await database('exports').insert({
      id,
      organisation_id: tenant.organisationId,
      token_id: token.id,
      kind: 'test_data',
      destination: 'csv',
      format: 'csv',
      request: JSON.stringify(request),
      store: at.store.name,
      object_key: `exports/${id}.csv`,
      runner_id: randomUUID(),
      lost_at: new Date(0),
      expires_at: new Date(Date.now() + 3_600_000),
    });
  }

  async function statusOf(database: Database, id: string): Promise<string> {
    return (await database('exports').where({ id }).first<{ status: string }>('status')).status;
  }
});
