import { randomUUID } from 'node:crypto';
import { expect } from 'chai';
import { exportStatus, holdExport, startExport } from '../../support/background-export.ts';
import { DataApi } from '../../support/data-api.ts';
import { addManyDownloads } from '../../support/downloads.ts';
import { type ExportStore, exportStore } from '../../support/export-store.ts';
import { isQueryRunning } from '../../support/local-clickhouse.ts';
import { type LocalStack, localStack } from '../../support/local-stack.ts';
import { type QueryService, startQueryService } from '../../support/query-service.ts';
import { newTenant, type Tenant } from '../../support/tenant.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { waitUntil } from '../../support/wait-until.ts';

const rowCount = 100_000;
const request = { test: 'httpget', date: { from: '2026-01-01', to: '2026-01-02' } };
const mebibyte = 1024 * 1024;
describe('an export', () => {
  let stack: LocalStack;
  let tenant: Tenant;
  let storage: ExportStore;
  let proxy: TcpProxy;
  let service: QueryService;
  let api: DataApi;

  before(async () => {
    stack = await localStack();
    tenant = await newTenant(stack.database);
    await addManyDownloads(stack.clickhouse, tenant.organisationId, rowCount);
    proxy = await startTcpProxy(stack.clickhouseUrl);
  });
  after(() => proxy.stop());

  beforeEach(async () => {
    storage = await exportStore('folder');
    service = await startQueryService(settings());
    api = new DataApi(service.url, tenant.dataToken);
  });
  afterEach(async () => {
    proxy.heal();
    await service.stop();
    await storage.stop();
  });

  it('reports rows, bytes and percent while it runs', async () => {
    holdExport(proxy);
    const id = await startExport(api, request);
    await waitUntil(async () => (await exportStatus(api, id)).bytes > mebibyte);
    const running = await exportStatus(api, id);
    expect(running.status).to.equal('running');
    expect(running.rows).to.be.within(1_000, rowCount - 1);
    expect(running.percent).to.be.within(1, 99);
    proxy.heal();
    await waitUntil(async () => (await exportStatus(api, id)).status === 'ready');
    expect(await exportStatus(api, id)).to.include({ percent: 100, rows: rowCount });
  });

  it('can be cancelled, which cancels the query and removes the incomplete file', async () => {
    holdExport(proxy);
    const id = await startExport(api, request);
    await waitUntil(async () => (await storage.unfinished()).length === 1);
    const { status, body } = await api.send('DELETE', `/exports/${id}`, {});
    expect(status).to.equal(200);
    expect(body.data).to.include({ status: 'cancelled' });
    expect(await storage.unfinished()).to.deep.equal([]);
    expect(await storage.keys()).to.deep.equal([]);
    await waitUntil(async () => !(await isQueryRunning(stack.clickhouseUrl, id)));
  });

  it('can be cancelled through another replica', async () => {
    const replica = await startQueryService(settings());
    try {
      holdExport(proxy);
      const id = await startExport(api, request);
      await waitUntil(async () => (await storage.unfinished()).length === 1);
      await new DataApi(replica.url, tenant.dataToken).send('DELETE', `/exports/${id}`, {});
      await waitUntil(async () => !(await isQueryRunning(stack.clickhouseUrl, id)));
      await waitUntil(async () => (await storage.unfinished()).length === 0);
      expect((await exportStatus(api, id)).status).to.equal('cancelled');
    } finally {
      await replica.stop();
    }
  });

  it('is cancelled when a waiting client disconnects', async () => {
    holdExport(proxy);
    const client = new AbortController();
    const response = fetch(`${service.url}/test_data.csv`, {
      method: 'POST',
      headers: { authorization: tenant.dataToken, 'content-type': 'application/json' },
      body: JSON.stringify(request),
      signal: client.signal,
    }).catch(() => undefined);
    await waitUntil(async () => (await storage.unfinished()).length === 1);
    client.abort();
    await response;
    await waitUntil(async () => (await storage.unfinished()).length === 0);
    expect(await storage.keys()).to.deep.equal([]);
  });

  it("429: exceeds the organisation's limit of running exports, on any replica", async () => {
    const replica = await startQueryService(settings());
    try {
      holdExport(proxy);
      await startExport(api, request);
      await startExport(new DataApi(replica.url, tenant.dataToken), request);
      for (const { url } of [service, replica]) {
        const own = new DataApi(url, tenant.dataToken);
        const { status, headers, body } = await own.post('/test_data.csv', request);
        expect(status).to.equal(429);
        expect(body.code).to.equal('RATE_LIMITED');
        expect(Number(headers.get('retry-after'))).to.be.greaterThan(0);
      }
      proxy.heal();
      await waitUntil(async () => (await storage.keys()).length === 4);
      expect((await api.post('/test_data.csv', request)).status).to.equal(200);
    } finally {
      await replica.stop();
    }
  });

  it('is finished during a shutdown within the grace period', async () => {
    holdExport(proxy);
    const id = await startExport(api, request);
    await waitUntil(async () => (await storage.unfinished()).length === 1);
    const stopped = service.stop(60_000);
    proxy.heal();
    await stopped;
    expect(await rowOf(id)).to.include({ status: 'done', row_count: rowCount });
    service = await startQueryService(settings());
  });

  it('is started again by another process when the grace period of a shutdown ends', async () => {
    holdExport(proxy);
    const id = await startExport(api, request);
    await waitUntil(async () => (await storage.unfinished()).length === 1);
    await service.stop(100);
    expect(await rowOf(id)).to.include({ status: 'running', attempt: 1 });
    expect(await storage.unfinished()).to.deep.equal([]);
    expect(await storage.keys()).to.deep.equal([]);
    proxy.heal();
    service = await startQueryService(settings());
    api = new DataApi(service.url, tenant.dataToken);
    await waitUntil(async () => (await exportStatus(api, id)).status === 'ready');
    expect(await rowOf(id)).to.include({ attempt: 2, row_count: rowCount, job: null });
    const { url } = await exportStatus(api, id);
    const file = await (await fetch(url)).text();
    expect(file.trimEnd().split('\n')).to.have.length(1 + rowCount);
  });

  it('has failed, without a file, after its third process has ended', async () => {
    holdExport(proxy);
    const id = await startExport(api, request);
    await waitUntil(async () => (await storage.unfinished()).length === 1);
    await service.stop(0);
    await stack.database('exports').where({ id }).update({ attempt: 3 });
    proxy.heal();
    service = await startQueryService(settings());
    api = new DataApi(service.url, tenant.dataToken);
    await waitUntil(async () => (await rowOf(id)).status === 'failed');
    expect(await rowOf(id)).to.include({ failure_code: 'SERVICE_UNAVAILABLE', job: null });
    expect(await storage.keys()).to.deep.equal([]);
  });

  it('belongs to the process that took it over: the first one changes neither record nor file', async () => {
    holdExport(proxy);
    const id = await startExport(api, request);
    await waitUntil(async () => (await storage.unfinished()).length === 1);
    // Another replica took it over and wrote its file.
    const [key] = await storage.unfinished();
    await stack.database('exports').where({ id }).update({ runner_id: randomUUID(), attempt: 2 });
    const file = { key: key!, contentType: 'text/csv', fileName: 'a.csv' };
    await storage.store.write(file, oneChunk('of the other replica'), new AbortController().signal);
    await waitUntil(async () => (await storage.unfinished()).length === 0);
    proxy.heal();
    await service.stop(10_000);
    expect(await rowOf(id)).to.include({ status: 'running', attempt: 2 });
    expect(await storage.store.sizeOf(key!)).to.equal('of the other replica'.length);
    await stack.database('exports').where({ id }).update({ status: 'cancelled' });
    service = await startQueryService(settings());
  });

  it('expires: the link returns 403, the file is removed, the status is expired', async () => {
    await service.stop();
    service = await startQueryService({ ...settings(), EXPORT_KEEP_MS: '5000' });
    api = new DataApi(service.url, tenant.dataToken);
    const date = { from: '2026-01-01', to: '2026-01-01' };
    const id = await startExport(api, { test: 'dns', date });
    await waitUntil(async () => (await exportStatus(api, id)).status === 'ready');
    const { url } = await exportStatus(api, id);
    await waitUntil(async () => (await exportStatus(api, id)).status === 'expired');
    const response = await fetch(url);
    expect(response.status).to.equal(403);
    expect(await response.json()).to.deep.equal({
      code: 'ACCESS_DENIED',
      message: 'The link has expired.',
    });
    await waitUntil(async () => (await storage.keys()).length === 0);
  });

  async function rowOf(id: string): Promise<Record<string, unknown>> {
    return stack.database('exports').where({ id }).first<Record<string, unknown>>('*');
  }

  function settings(): Record<string, string> {
    return {
      ...storage.settings,
      CLICKHOUSE_URL: proxy.url,
      EXPORT_HEARTBEAT_MS: '100',
      EXPORT_WAIT_MS: '60000',
      MAX_RUNNING_EXPORTS: '2',
    };
  }
});

async function* oneChunk(text: string): AsyncGenerator<Buffer> {
  yield await Promise.resolve(Buffer.from(text));
}
