import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { localStack } from '../../support/local-stack.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { type QueryService, startQueryService } from '../../support/query-service.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { newTenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

const request = {
  ...plainRequest,
  aggregation: 'total',
  time: { from: '2026-01-01 00:00', to: '2026-01-02 00:00' },
};
const settings = {
  MAX_RUNNING_QUERIES: '1',
  // Cached, so that only the queries themselves reach ClickHouse while the proxy holds it.
  ACCESS_CACHE_MS: '3600000',
  // Every request is a query.
  STORED_ANSWERS_BYTES: '0',
};

describe('two replicas of the query service', () => {
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
    await waitUntil(async () => (await other!.post('/metric_data', request)).status === 429);
    const refused = await other!.post('/metric_data', request);
    expect(refused.status).to.equal(429);
    expect(refused.headers.get('retry-after')).to.equal('1');
    expect(refused.body.message).to.include('already has 1 running queries');
    const unaffected = new DataApi(second.url, neighbour.dataToken);
    expect((await unaffected.post('/metric_data', request)).status).to.equal(200);

    proxy.heal();
    expect((await held).status).to.equal(200);
    await waitUntil(async () => (await other!.post('/metric_data', request)).status === 200);
  });

  it('admit a light query of an organisation while heavy ones of another use all its slots', async () => {
    const { database, clickhouse } = await localStack();
    const [heavy, light] = [await newTenant(database), await newTenant(database)];
    const downloads = Array.from({ length: 10 }, (_, minute) => ({
      agentKey: 1,
      agentId: 'box',
      dtime: `2026-01-01 10:0${minute}:00`,
      mbps: 10,
    }));
    await addDownloads(clickhouse, heavy.organisationId, downloads);
    await addDownloads(clickhouse, light.organisationId, downloads.slice(0, 1));
    const [first, second] = [await weighing(proxy.url), await weighing()];
    try {
      const [held, other, neighbour] = [
        new DataApi(first.url, heavy.dataToken),
        new DataApi(second.url, heavy.dataToken),
        new DataApi(second.url, light.dataToken),
      ];
      const slots = async (api: DataApi) => {
        const { body } = await api.post('/metric_data/explain', request);
        return (body.data as { estimate: { slots: number } }).estimate.slots;
      };
      expect([await slots(held), await slots(other), await slots(neighbour)]).to.eql([4, 4, 1]);

      proxy.fault({ kind: 'hold', direction: 'to the service' });
      const running = held.post('/metric_data', request);
      const waiting = held.post('/metric_data', request);
      const refused = { time: { from: '2026-02-01 00:00', to: '2026-02-02 00:00' } };
      await waitUntil(
        async () => (await other.post('/metric_data', { ...request, ...refused })).status === 429,
      );
      for (let i = 0; i < 10; i++) {
        const { status, body } = await neighbour.post('/metric_data', request);
        expect(status, JSON.stringify(body)).to.equal(200);
      }

      proxy.heal();
      expect((await running).status).to.equal(200);
      expect((await waiting).status).to.equal(200);
    } finally {
      proxy.heal();
      await first.stop();
      await second.stop();
    }
  });

  function weighing(clickhouseUrl?: string): Promise<QueryService> {
    return startQueryService({
      ...settings,
      ...(clickhouseUrl === undefined
        ? { QUERY_QUEUE_MS: '100' }
        : { CLICKHOUSE_URL: clickhouseUrl, QUERY_QUEUE_MS: '30000' }),
      MAX_RUNNING_QUERIES: '4',
      QUERY_ROWS_PER_SLOT: '2',
    });
  }
});
