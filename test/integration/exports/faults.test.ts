import { expect } from 'chai';
import { exportStatus, holdExport, startExport } from '../../support/background-export.ts';
import { DataApi } from '../../support/data-api.ts';
import { addManyDownloads } from '../../support/downloads.ts';
import { type ExportStore, exportStore, storeKinds } from '../../support/export-store.ts';
import { localStack } from '../../support/local-stack.ts';
import { startServiceProcess } from '../../support/service-process.ts';
import { type QueryService, startQueryService } from '../../support/query-service.ts';
import { newTenant, type Tenant } from '../../support/tenant.ts';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { waitUntil } from '../../support/wait-until.ts';

const rowCount = 200_000;
const request = { test: 'httpget', date: { from: '2026-01-01', to: '2026-01-04' } };
const mebibyte = 1024 * 1024;

for (const kind of storeKinds) {
  describe(`an export to the ${kind} store`, () => {
    let tenant: Tenant;
    let storage: ExportStore;
    let proxy: TcpProxy;
    let service: QueryService;
    let api: DataApi;

    before(async () => {
      const stack = await localStack();
      tenant = await newTenant(stack.database);
      await addManyDownloads(stack.clickhouse, tenant.organisationId, rowCount);
      storage = await exportStore(kind);
      proxy = await startTcpProxy(stack.clickhouseUrl);
      service = await startQueryService(settings());
      api = new DataApi(service.url, tenant.dataToken);
    });

    after(async () => {
      proxy.heal();
      await service.stop();
      await proxy.stop();
      await storage.stop();
    });

    afterEach(() => proxy.heal());

    const randomCut = 1 + Math.floor(Math.random() * 20 * mebibyte);
    for (const bytes of [100, 5_000, mebibyte, 5 * mebibyte + 1, randomCut]) {
      it(`is started again when the connection is cut after ${bytes} bytes`, async () => {
        const before = await storage.keys();
        // Fills the service's cache, so that the fault hits the export's query.
        await api.get('/splits');
        proxy.fault({ kind: 'cut', direction: 'to the service', afterBytes: bytes });
        const id = await startExport(api, request);
        await waitUntil(() => proxy.struck > 0);
        proxy.heal();
        await waitUntil(async () => (await exportStatus(api, id)).status === 'ready');
        expect(await exportStatus(api, id)).to.include({ rows: rowCount });
        // The file and its manifest.
        const added = (await storage.keys()).filter((key) => !before.includes(key));
        expect(added).to.have.length(2);
        expect(await storage.unfinished()).to.deep.equal([]);
      });
    }

    it('fails and leaves no file when the connection is cut at every attempt', async () => {
      const before = await storage.keys();
      await api.get('/splits');
      proxy.fault({ kind: 'cut', direction: 'to the service', afterBytes: mebibyte });
      const { status, headers } = await api.post('/test_data.csv', request);
      expect(status).to.equal(503);
      proxy.heal();
      const { body } = await api.get(`/exports/${headers.get('x-query-id')}`);
      expect(body.data).to.deep.include({ status: 'failed' });
      expect(body.data).not.to.have.property('url');
      expect(await storage.keys()).to.deep.equal(before);
      expect(await storage.unfinished()).to.deep.equal([]);
    });

    it('is complete when the connection works again', async () => {
      const { status, body } = await api.post('/test_data_download', request);
      expect(status).to.equal(200);
      const data = body.data as { url: string; key: string; rows: number; bytes: number };
      expect(data.rows).to.equal(rowCount);
      const response = await fetch(data.url);
      expect((await response.arrayBuffer()).byteLength).to.equal(data.bytes);
      expect(await storage.keys()).to.include.members([data.key, `${data.key}.manifest.json`]);
    });

    it('422: leaves no file when the export exceeds the row limit while writing', async () => {
      const before = await storage.keys();
      const small = await startQueryService({ ...settings(), EXPORT_MAX_ROWS: '150000' });
      try {
        const own = new DataApi(small.url, tenant.dataToken);
        const { status, body } = await own.post('/test_data.csv', request);
        expect(status).to.equal(422);
        expect(JSON.stringify(body.errors)).to.include('150000');
        expect(await storage.keys()).to.deep.equal(before);
        expect(await storage.unfinished()).to.deep.equal([]);
      } finally {
        await small.stop();
      }
    });

    it('is started again after its process was killed, and its incomplete files are removed', async () => {
      const before = await storage.keys();
      // Longer than a start, so that the sweep at the start finds an export that seems to run.
      const slow = { ...settings(), EXPORT_HEARTBEAT_MS: '1000' };
      const first = await startServiceProcess('query', slow);
      // More than one part of an S3 upload, which is invisible before its first part.
      holdExport(proxy, 20);
      const id = await startExport(new DataApi(first.url, tenant.dataToken), request);
      await waitUntil(async () => (await storage.unfinished()).length === 1);
      await first.kill('SIGKILL');
      proxy.heal();
      const [key = ''] = await storage.unfinished();
      // As if the process had been killed while it wrote the manifest.
      await storage.leaveUnfinished(`${key}.manifest.json`);
      expect(await storage.unfinished()).to.have.length(2);

      const second = await startServiceProcess('query', slow);
      try {
        const restarted = new DataApi(second.url, tenant.dataToken);
        await waitUntil(async () => (await exportStatus(restarted, id)).status === 'ready');
        expect(await exportStatus(restarted, id)).to.include({ rows: rowCount });
        expect(await storage.unfinished()).to.deep.equal([]);
        // The file and its manifest.
        const added = (await storage.keys()).filter((key) => !before.includes(key));
        expect(added).to.have.length(2);
      } finally {
        await second.kill('SIGTERM');
      }
    });

    function settings(): Record<string, string> {
      return {
        ...storage.settings,
        CLICKHOUSE_URL: proxy.url,
        ACCESS_CACHE_MS: '600000',
        EXPORT_HEARTBEAT_MS: '100',
        EXPORT_WAIT_MS: '60000',
        STOP_GRACE_MS: '2000',
      };
    }
  });
}

describe('an export to a folder', () => {
  let tenant: Tenant;
  let storage: ExportStore;

  before(async () => {
    const stack = await localStack();
    tenant = await newTenant(stack.database);
    await addManyDownloads(stack.clickhouse, tenant.organisationId, rowCount);
    storage = await exportStore('folder');
  });
  after(() => storage.stop());

  it('503: a full disk leaves no file', async () => {
    const settings = { ...storage.settings, EXPORT_WAIT_MS: '60000' };
    const service = await startServiceProcess('query', settings, { fileKiB: 2048 });
    try {
      const api = new DataApi(service.url, tenant.dataToken);
      const { status, body } = await api.post('/test_data.csv', request);
      expect(status).to.equal(503);
      expect(body.message).to.equal('The export could not be stored. Please retry shortly.');
      expect(await storage.keys()).to.deep.equal([]);
      expect(await storage.unfinished()).to.deep.equal([]);
    } finally {
      await service.kill('SIGTERM');
    }
  });

  it('503: a folder without write access', async () => {
    const service = await startQueryService({ EXPORT_FOLDER: '/dev/null/exports' });
    try {
      const api = new DataApi(service.url, tenant.dataToken);
      expect((await api.post('/test_data.csv', request)).status).to.equal(503);
    } finally {
      await service.stop();
    }
  });
});
