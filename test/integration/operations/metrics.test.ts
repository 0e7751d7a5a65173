import { expect } from 'chai';
import { plainRequest } from '../../support/plain-request.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { DataApi } from '../../support/data-api.ts';
import { addManyDownloads } from '../../support/downloads.ts';
import { ScrapedMetrics } from '../../support/scraped-metrics.ts';
import { localStack } from '../../support/local-stack.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts';
import { newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

const rowCount = 5_000;
const total = {
  ...plainRequest,
  aggregation: 'total',
  time: { from: '2026-01-01 00:00', to: '2026-01-31 23:59' },
};
const results = { test: 'httpget', date: { from: '2026-01-01', to: '2026-01-02' } };

const stack = await localStack();

describe('the metrics of the query service', () => {
  let tenant: Tenant;
  let proxy: TcpProxy;
  let service: ServiceProcess;
  let api: DataApi;

  before(async () => {
    tenant = await newTenant(stack.database);
    await addManyDownloads(stack.clickhouse, tenant.organisationId, rowCount);
    proxy = await startTcpProxy(stack.clickhouseUrl);
    service = await startServiceProcess('query', {
      CLICKHOUSE_URL: proxy.url,
      CLICKHOUSE_CONNECTIONS: '1',
      DATABASE_POOL_MAX: '2',
      MAX_RUNNING_QUERIES: '2',
      QUERY_QUEUE_MS: '300',
      MAX_RESULT_ROWS: '4000',
      EXPORT_MAX_ROWS: '10',
      // Cached, so that only the queries themselves reach ClickHouse while the proxy holds it.
      ACCESS_CACHE_MS: '3600000',
      // Every request is a query.
      STORED_ANSWERS_BYTES: '0',
    });
    api = new DataApi(service.url, tenant.dataToken);
  });
  after(async () => {
    await service.kill('SIGTERM');
    await proxy.stop();
  });

  const scrape = () => ScrapedMetrics.from(service.opsUrl);

  it('count ClickHouse queries and read rows by kind', async () => {
    expect((await api.post('/metric_data', total)).status).to.equal(200);
    expect((await api.post('/metric_data', total)).status).to.equal(200);
    expect((await api.post('/metric_data/explain', total)).status).to.equal(200);
    expect((await api.get('/filters/target/values')).status).to.equal(200);
    const now = await scrape();
    const queryCount = (kind: string) =>
      now.value('netpanel_clickhouse_query_duration_seconds_count', { kind });
    expect(queryCount('metric_data')).to.equal(2);
    expect(queryCount('explain')).to.equal(3);
    expect(queryCount('listing')).to.be.greaterThan(0);
    expect(queryCount('background')).to.be.greaterThan(0);
    expect(queryCount('test_data')).to.be.NaN;
    expect(
      now.value('netpanel_clickhouse_query_duration_seconds_sum', { kind: 'metric_data' }),
    ).to.be.greaterThan(0);
    const read = { kind: 'metric_data' };
    // A granule at each end may have rows of other organisations.
    expect(now.value('netpanel_clickhouse_read_rows_total', read)).to.be.within(
      2 * rowCount,
      2 * (rowCount + 2 * 8192),
    );
    expect(now.value('netpanel_clickhouse_read_bytes_total', read)).to.be.greaterThan(2 * rowCount);
  });

  it('count ClickHouse errors by cause', async () => {
    expect((await api.post('/test_data', results)).status).to.equal(422);
    expect(await errors('limit')).to.equal(1);
    proxy.fault({ kind: 'cut', direction: 'to the service' });
    expect((await api.post('/test_data', results)).status).to.equal(503);
    proxy.heal();
    expect(await errors('unreachable')).to.equal(1);
    expect(await errors('timeout')).to.be.NaN;
  });

  it('count running, waiting and rejected queries', async () => {
    proxy.fault({ kind: 'hold', direction: 'to the service' });
    const responses = Array.from({ length: 3 }, () => api.post('/metric_data', total));
    const statuses = Promise.all(responses.map(async (response) => (await response).status));
    await waitUntil(async () => (await scrape()).value('netpanel_query_slots_refused_total') === 1);
    const held = await scrape();
    expect(held.value('netpanel_query_slots_running')).to.equal(2);
    expect(held.value('netpanel_query_slots_waiting')).to.equal(0);
    // Two queries, one connection.
    const pool = 'queries';
    expect(held.value('netpanel_clickhouse_connections', { pool, state: 'used' })).to.equal(1);
    expect(held.value('netpanel_clickhouse_connections', { pool, state: 'waiting' })).to.equal(1);
    expect(held.value('netpanel_clickhouse_connections_max', { pool })).to.equal(1);
    proxy.heal();
    expect((await statuses).sort()).to.deep.equal([200, 200, 429]);
    const after = await scrape();
    expect(after.value('netpanel_query_slots_running')).to.equal(0);
    expect(after.value('netpanel_clickhouse_connections', { pool })).to.equal(0);
  });

  it('count used, free and waiting Postgres connections', async () => {
    const pool = 'requests';
    expect((await scrape()).value('netpanel_postgres_connections_max', { pool })).to.equal(2);
    const lock = await stack.database.transaction();
    await lock.raw('lock table exports in access exclusive mode');
    const unknown = '/exports/00000000-0000-4000-8000-000000000000';
    const waiting = Array.from({ length: 4 }, () => api.get(unknown));
    const state = async (name: string) =>
      (await scrape()).value('netpanel_postgres_connections', { pool, state: name });
    try {
      await waitUntil(async () => (await state('used')) === 2 && (await state('waiting')) > 0);
    } finally {
      await lock.rollback();
    }
    for (const response of waiting) expect((await response).status).to.equal(404);
    expect(await state('waiting')).to.equal(0);
    expect(await state('free')).to.be.greaterThan(0);
  });

  it('count exports by format and outcome, with rows, bytes and duration', async () => {
    const exported = await api.post('/metric_data_download', { ...total, format: 'csv.gz' });
    expect(exported.status).to.equal(200);
    const { rows, bytes } = exported.body.data as { rows: number; bytes: number };
    expect((await api.post('/test_data.csv', results)).status).to.equal(422);
    const now = await scrape();
    const format = 'csv.gz';
    expect(now.value('netpanel_exports_total', { format, outcome: 'done' })).to.equal(1);
    expect(now.value('netpanel_exports_total', { format: 'csv', outcome: 'failed' })).to.equal(1);
    expect(now.value('netpanel_export_rows_total', { format })).to.equal(rows);
    expect(now.value('netpanel_export_bytes_total', { format })).to.equal(bytes);
    expect(now.value('netpanel_export_duration_seconds_count', { format })).to.equal(1);
    expect(now.value('netpanel_exports_running')).to.equal(0);
    expect(
      now.value('netpanel_clickhouse_query_duration_seconds_count', { kind: 'export' }),
    ).to.be.greaterThan(0);
  });

  it('count running and cancelled exports', async () => {
    proxy.fault({ kind: 'hold', direction: 'to the service' });
    const { body } = await api.post('/metric_data.csv', total, { prefer: 'respond-async' });
    const { id } = body.data as { id: string };
    expect((await scrape()).value('netpanel_exports_running')).to.equal(1);
    expect((await api.send('DELETE', `/exports/${id}`, {})).status).to.equal(200);
    proxy.heal();
    await waitUntil(async () => (await scrape()).value('netpanel_exports_running') === 0);
    const ended = { format: 'csv', outcome: 'cancelled' };
    expect((await scrape()).value('netpanel_exports_total', ended)).to.equal(1);
  });

  it('have few labels, and none with an organisation, a token or an id', async () => {
    const labels = (await scrape()).labels();
    expect([...labels.keys()]).to.have.members([
      'service',
      'method',
      'route',
      'status',
      'le',
      'kind',
      'error',
      'pool',
      'state',
      'format',
      'outcome',
    ]);
    for (const [label, values] of labels) expect(values.size, label).to.be.lessThan(30);
    const all = [...labels.values()].flatMap((values) => [...values]).join();
    expect(all).not.to.include(tenant.name);
    expect(all).not.to.match(/np[dm]_|[0-9a-f]{8}-[0-9a-f]{4}/);
  });

  it('report the event loop lag', async () => {
    // Each scrape resets the lag, so it is 0 directly after another scrape.
    await waitUntil(async () => {
      const now = await scrape();
      const delays = ['p50', 'p99', 'max'].map((name) =>
        now.value(`nodejs_eventloop_lag_${name}_seconds`),
      );
      return delays.every((seconds) => seconds > 0);
    });
  });

  async function errors(error: string): Promise<number> {
    return (await scrape()).value('netpanel_clickhouse_errors_total', {
      kind: 'test_data',
      error,
    });
  }
});

describe('the metrics of the metadata service', () => {
  it('count the ClickHouse queries of publishing and the connections to both stores', async () => {
    const { metadataOpsUrl } = await localStack();
    const now = await ScrapedMetrics.from(metadataOpsUrl);
    const kind = 'snapshot';
    expect(
      now.value('netpanel_clickhouse_query_duration_seconds_count', { kind }),
    ).to.be.greaterThan(0);
    expect(now.value('netpanel_clickhouse_connections_max', { pool: kind })).to.equal(10);
    for (const [pool, max] of Object.entries({
      access: 3,
      requests: 10,
      changes: 5,
      background: 8,
    })) {
      expect(now.value('netpanel_postgres_connections_max', { pool }), pool).to.equal(max);
    }
    expect(now.value('netpanel_postgres_connections', { state: 'waiting' })).to.equal(0);
  });
});
