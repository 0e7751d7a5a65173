import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { addManyDownloads } from '../../support/downloads.ts';
import { type ExportStore, exportStore } from '../../support/export-store.ts';
import { type LocalStack, localStack } from '../../support/local-stack.ts';
import { type QueryService, startQueryService } from '../../support/query-service.ts';
import { newTenant, type Tenant } from '../../support/tenant.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { waitUntil } from '../../support/wait-until.ts';

const rowCount = 100_000;
const request = { test: 'httpget', date: { from: '2026-01-01', to: '2026-01-02' } };
const mebibyte = 1024 * 1024;
const inBackground = { prefer: 'respond-async' };

interface ExportData {
  readonly id: string;
  readonly status: string;
  readonly rows: number;
  readonly bytes: number;
  readonly percent: number | null;
  readonly url: string;
  readonly failure?: { readonly code: string; readonly message: string };
}

describe('The life of an export', function () {
  this.timeout(180_000);
  let stack: LocalStack;
  let tenant: Tenant;
  let at: ExportStore;
  let proxy: TcpProxy;
  let service: QueryService;
  let api: DataApi;

  before(async function () {
    this.timeout(400_000);
    stack = await localStack();
    tenant = await newTenant(stack.database);
    await addManyDownloads(stack.clickhouse, tenant.organisationId, rowCount);
    proxy = await startTcpProxy(stack.clickhouseUrl);
  });
  after(() => proxy.stop());

  beforeEach(async () => {
    at = await exportStore('folder');
    service = await startQueryService(settings());
    api = new DataApi(service.url, tenant.dataToken);
  });
  afterEach(async () => {
    proxy.heal();
    await service.stop();
    await at.stop();
  });

  it('can be watched: rows, bytes and percent while it runs', async () => {
    proxy.fault({ kind: 'hold', direction: 'to the service', afterBytes: 5 * mebibyte });
    const id = await begin(api);
    await waitUntil(async () => (await statusOf(id)).bytes > mebibyte);
    const running = await statusOf(id);
    expect(running.status).to.equal('running');
    expect(running.rows).to.be.within(1_000, rowCount - 1);
    expect(running.percent).to.be.within(1, 99);
    expect(running).not.to.have.property('url');
    proxy.heal();
    await waitUntil(async () => (await statusOf(id)).status === 'done');
    expect(await statusOf(id)).to.include({ percent: 100, rows: rowCount });
  });

  it('can be cancelled, which ends the query and removes what was written', async () => {
    proxy.fault({ kind: 'hold', direction: 'to the service', afterBytes: 5 * mebibyte });
    const id = await begin(api);
    await waitUntil(async () => (await at.unfinished()).length === 1);
    const { status, body } = await api.send('DELETE', `/exports/${id}`, {});
    expect(status).to.equal(200);
    expect(body.data).to.include({ status: 'cancelled' });
    expect(await at.unfinished()).to.deep.equal([]);
    expect(await at.keys()).to.deep.equal([]);
    await waitUntil(async () => !(await isInClickHouse(id)));
  });

  it('can be cancelled through another replica', async () => {
    const replica = await startQueryService(settings());
    try {
      proxy.fault({ kind: 'hold', direction: 'to the service', afterBytes: 5 * mebibyte });
      const id = await begin(api);
      await waitUntil(async () => (await at.unfinished()).length === 1);
      await new DataApi(replica.url, tenant.dataToken).send('DELETE', `/exports/${id}`, {});
      await waitUntil(async () => !(await isInClickHouse(id)));
      await waitUntil(async () => (await at.unfinished()).length === 0);
      expect((await statusOf(id)).status).to.equal('cancelled');
    } finally {
      await replica.stop();
    }
  });

  it('ends when a caller who waits for it leaves', async () => {
    proxy.fault({ kind: 'hold', direction: 'to the service', afterBytes: 5 * mebibyte });
    const caller = new AbortController();
    const call = fetch(`${service.url}/test_data.csv`, {
      method: 'POST',
      headers: { authorization: tenant.dataToken, 'content-type': 'application/json' },
      body: JSON.stringify(request),
      signal: caller.signal,
    }).catch(() => undefined);
    await waitUntil(async () => (await at.unfinished()).length === 1);
    caller.abort();
    await call;
    await waitUntil(async () => (await at.unfinished()).length === 0);
    expect(await at.keys()).to.deep.equal([]);
  });

  it('202: a call that would wait for too long gets the status link instead', async () => {
    await service.stop();
    service = await startQueryService({ ...settings(), EXPORT_WAIT_MS: '50' });
    api = new DataApi(service.url, tenant.dataToken);
    proxy.fault({ kind: 'hold', direction: 'to the service', afterBytes: 5 * mebibyte });
    const { status, headers, body } = await api.post('/test_data.csv', request);
    expect(status).to.equal(202);
    expect(headers.get('preference-applied')).to.equal(null);
    const { id } = body.data as ExportData;
    proxy.heal();
    await waitUntil(async () => (await statusOf(id)).status === 'done');
  });

  it('429: one more than the organisation may run at once, on any replica', async () => {
    const replica = await startQueryService(settings());
    try {
      proxy.fault({ kind: 'hold', direction: 'to the service', afterBytes: 5 * mebibyte });
      await begin(api);
      await begin(new DataApi(replica.url, tenant.dataToken));
      for (const { url } of [service, replica]) {
        const own = new DataApi(url, tenant.dataToken);
        const { status, headers, body } = await own.post('/test_data.csv', request);
        expect(status).to.equal(429);
        expect(body.code).to.equal('RATE_LIMITED');
        expect(Number(headers.get('retry-after'))).to.be.greaterThan(0);
      }
      proxy.heal();
      await waitUntil(async () => (await at.keys()).length === 4);
      expect((await api.post('/test_data.csv', request)).status).to.equal(200);
    } finally {
      await replica.stop();
    }
  });

  it('is waited for by a stop, as long as there is time', async () => {
    proxy.fault({ kind: 'hold', direction: 'to the service', afterBytes: 5 * mebibyte });
    const id = await begin(api);
    await waitUntil(async () => (await at.unfinished()).length === 1);
    const stopped = service.stop(60_000);
    proxy.heal();
    await stopped;
    expect(await rowOf(id)).to.include({ status: 'done', row_count: rowCount });
    service = await startQueryService(settings());
  });

  it('has failed when a stop cannot wait any longer, and leaves nothing behind', async () => {
    proxy.fault({ kind: 'hold', direction: 'to the service', afterBytes: 5 * mebibyte });
    const id = await begin(api);
    await waitUntil(async () => (await at.unfinished()).length === 1);
    await service.stop(100);
    expect(await rowOf(id)).to.include({ status: 'failed', failure_code: 'SERVICE_UNAVAILABLE' });
    expect(await at.unfinished()).to.deep.equal([]);
    expect(await at.keys()).to.deep.equal([]);
    proxy.heal();
    service = await startQueryService(settings());
  });

  it('expires: the link says so, the file is gone, the status tells', async () => {
    await service.stop();
    service = await startQueryService({ ...settings(), EXPORT_KEEP_MS: '5000' });
    api = new DataApi(service.url, tenant.dataToken);
    const date = { from: '2026-01-01', to: '2026-01-01' };
    const id = await begin(api, { test: 'dns', date });
    await waitUntil(async () => (await statusOf(id)).status === 'done');
    const { url } = await statusOf(id);
    await waitUntil(async () => (await statusOf(id)).status === 'expired');
    const response = await fetch(url);
    expect(response.status).to.equal(403);
    expect(await response.json()).to.deep.equal({
      code: 'ACCESS_DENIED',
      message: 'The link has expired.',
    });
    await waitUntil(async () => (await at.keys()).length === 0);
  });

  async function begin(own: DataApi, body: unknown = request): Promise<string> {
    const response = await own.post('/test_data.csv', body, inBackground);
    expect(response.status, JSON.stringify(response.body)).to.equal(202);
    return (response.body.data as ExportData).id;
  }

  async function statusOf(id: string): Promise<ExportData> {
    return (await api.get(`/exports/${id}`)).body.data as ExportData;
  }

  async function rowOf(id: string): Promise<Record<string, unknown>> {
    return stack.database('exports').where({ id }).first<Record<string, unknown>>('*');
  }

  async function isInClickHouse(queryId: string): Promise<boolean> {
    const body = `KILL QUERY WHERE query_id = '${queryId}' TEST`;
    const response = await fetch(stack.clickhouseUrl, { method: 'POST', body });
    return (await response.text()).includes(queryId);
  }

  function settings(): Record<string, string> {
    return {
      ...at.settings,
      CLICKHOUSE_URL: proxy.url,
      EXPORT_HEARTBEAT_MS: '100',
      EXPORT_WAIT_MS: '60000',
      MAX_RUNNING_EXPORTS: '2',
    };
  }
});
