import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { localStack } from '../../support/local-stack.ts';
import { type QueryService, startQueryService } from '../../support/query-service.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { newTenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

const request = {
  metric: 'httpget',
  chartType: 'aggregate',
  aggregation: 'total',
  normalised: false,
  prefilter: false,
  time: { from: '2026-01-01 00:00', to: '2026-01-02 00:00' },
};
const settings = {
  MAX_RUNNING_QUERIES: '1',
  // Cached, so that only the queries themselves reach ClickHouse while the proxy holds it.
  ACCESS_CACHE_MS: '3600000',
  // Every request is a query.
  STORED_ANSWERS_BYTES: '0',
};

describe('two replicas of the query service', function () {
  this.timeout(180_000);
  let proxy: TcpProxy;
  let first: QueryService;
  let second: QueryService;

  before(async () => {
    const { clickhouseUrl } = await localStack();
    proxy = await startTcpProxy(clickhouseUrl);
    first = await startQueryService({
      ...settings,
      CLICKHOUSE_URL: proxy.url,
      QUERY_QUEUE_MS: '30000',
    });
    second = await startQueryService({ ...settings, QUERY_QUEUE_MS: '100' });
  });
  after(async () => {
    proxy.heal();
    await first.stop();
    await second.stop();
    await proxy.stop();
  });

  it("429: exceeds the organisation's limit of running queries, on any replica", async () => {
    const { database } = await localStack();
    const [tenant, neighbour] = [await newTenant(database), await newTenant(database)];
    const [api, other] = [first, second].map(({ url }) => new DataApi(url, tenant.dataToken));
    expect((await api!.post('/metric_data', request)).status).to.equal(200);

    proxy.fault({ kind: 'hold', direction: 'to the service' });
    const held = api!.post('/metric_data', request);
    await waitUntil(
      async () => (await other!.post('/metric_data', request)).status === 429,
      30_000,
    );
    const refused = await other!.post('/metric_data', request);
    expect(refused.status).to.equal(429);
    expect(refused.headers.get('retry-after')).to.equal('1');
    expect(refused.body.message).to.include('already has 1 running queries');
    const unaffected = new DataApi(second.url, neighbour.dataToken);
    expect((await unaffected.post('/metric_data', request)).status).to.equal(200);

    proxy.heal();
    expect((await held).status).to.equal(200);
    await waitUntil(
      async () => (await other!.post('/metric_data', request)).status === 200,
      30_000,
    );
  });
});
