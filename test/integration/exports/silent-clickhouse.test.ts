import { expect } from 'chai';
import { exportStatus, startExport } from '../../support/background-export.ts';
import { DataApi } from '../../support/data-api.ts';
import { addManyDownloads } from '../../support/downloads.ts';
import { type ExportStore, exportStore } from '../../support/export-store.ts';
import { localStack } from '../../support/local-stack.ts';
import { type QueryService, startQueryService } from '../../support/query-service.ts';
import { type Fault, startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { newTenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

const rowCount = 50_000;
const request = { test: 'httpget', date: { from: '2026-01-01', to: '2026-01-04' } };

// A firewall that forgets a connection drops its packets without closing it.
describe('a connection to ClickHouse that goes silent', () => {
  let storage: ExportStore;
  let proxy: TcpProxy;
  let service: QueryService;
  let api: DataApi;

  before(async () => {
    const { database, clickhouse, clickhouseUrl } = await localStack();
    const { organisationId, dataToken } = await newTenant(database);
    await addManyDownloads(clickhouse, organisationId, rowCount);
    storage = await exportStore('folder');
    proxy = await startTcpProxy(clickhouseUrl);
    service = await startQueryService({
      ...storage.settings,
      CLICKHOUSE_URL: proxy.url,
      CLICKHOUSE_SILENCE_MS: '500',
    });
    api = new DataApi(service.url, dataToken);
  });
  after(async () => {
    proxy.heal();
    await service.stop();
    await proxy.stop();
    await storage.stop();
  });
  afterEach(() => proxy.heal());

  const faults: Readonly<Record<string, Fault>> = {
    'in the middle of the file': {
      kind: 'swallow',
      direction: 'to the service',
      afterBytes: 1_000_000,
    },
    'before the query arrives': { kind: 'swallow', direction: 'to the store' },
  };
  for (const [when, fault] of Object.entries(faults)) {
    it(`starts an export again within seconds, ${when}`, async () => {
      // Fills the service's cache, so that the fault hits the export's query.
      await api.get('/splits');
      proxy.fault(fault);
      const id = await startExport(api, request);
      await waitUntil(() => proxy.struck > 0, 60_000);
      proxy.heal();
      await waitUntil(async () => (await exportStatus(api, id)).status === 'ready', 60_000);
      expect(await exportStatus(api, id)).to.include({ rows: rowCount });
      expect(await storage.unfinished()).to.deep.equal([]);
    });
  }
});
