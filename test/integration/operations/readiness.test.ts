import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { DataApi } from '../../support/data-api.ts';
import { localStack } from '../../support/local-stack.ts';
import { type IsolatedStores, isolatedStores } from '../../support/isolated-stores.ts';
import { readinessOf } from '../../support/readiness-of.ts';
import { startS3 } from '../../support/s3-server.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts';
import { addAgent, newTenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('readiness', () => {
  describe('of the query service', () => {
    let stores: IsolatedStores;
    let clickhouse: TcpProxy;
    let parentFolder: string;
    let exportFolder: string;
    let service: ServiceProcess;

    before(async () => {
      stores = await isolatedStores();
      clickhouse = await startTcpProxy(stores.env.CLICKHOUSE_URL!);
      parentFolder = await mkdtemp(join(tmpdir(), 'netpanel-readiness-'));
      exportFolder = join(parentFolder, 'exports');
      service = await startServiceProcess('query', {
        ...stores.env,
        CLICKHOUSE_URL: clickhouse.url,
        EXPORT_FOLDER: exportFolder,
      });
    });
    afterEach(() => clickhouse.heal());
    after(async () => {
      await service.kill('SIGTERM');
      await clickhouse.stop();
      await stores.close();
      await rm(parentFolder, { recursive: true });
    });

    it('reports each dependency: whether it is required, its age and its lag', async () => {
      const { httpStatus, status, dependencies } = await readinessOf(service);
      expect({ httpStatus, status }).to.deep.equal({ httpStatus: 200, status: 'ready' });
      expect(Object.keys(dependencies)).to.deep.equal([
        'postgres',
        'clock',
        'clickhouse',
        'snapshot',
        'objectStore',
      ]);
      const healthy = { ok: true, ageSeconds: 0, lagSeconds: 0 };
      expect(dependencies.postgres).to.include({ required: true, ...healthy });
      expect(dependencies.clock).to.include({ ok: true, required: true });
      expect(dependencies.clickhouse).to.include({ required: true, ...healthy });
      expect(dependencies.snapshot).to.include({ required: false, ...healthy });
      expect(dependencies.objectStore).to.include({ required: false, ...healthy });
    });

    it('reports the age and lag of the metadata snapshot', async () => {
      const empty = (await readinessOf(service)).dependencies.snapshot;
      expect(empty).to.include({ version: 0, publishedVersion: 0, snapshotAgeSeconds: null });

      const { organisationId } = await newTenant(stores.database);
      await addAgent(stores.database, organisationId, { agentId: 'a', unitId: 1 });
      const behind = (await readinessOf(service)).dependencies.snapshot;
      expect(behind?.waitingChanges).to.be.greaterThan(0);
      expect(behind?.lagSeconds).to.be.greaterThan(0);

      const publisher = stores.startPublisher();
      await waitUntil(
        async () => (await readinessOf(service)).dependencies.snapshot?.lagSeconds === 0,
      );
      await publisher.stop();
      const { version, publishedVersion, snapshotAgeSeconds } = (await readinessOf(service))
        .dependencies.snapshot!;
      expect(version).to.equal(publishedVersion).and.to.be.greaterThan(0);
      expect(snapshotAgeSeconds).to.be.greaterThan(0);
    });

    it('fails without ClickHouse, reports since when, and recovers', async () => {
      expect((await readinessOf(service)).httpStatus).to.equal(200);
      clickhouse.fault({ kind: 'cut', direction: 'to the service' });
      const { httpStatus, status, dependencies } = await readinessOf(service);
      expect({ httpStatus, status }).to.deep.equal({ httpStatus: 503, status: 'not ready' });
      expect(dependencies.postgres).to.include({ ok: true });
      expect(dependencies.clickhouse).to.include({ ok: false, required: true });
      expect(dependencies.clickhouse?.ageSeconds).to.be.greaterThan(0);
      expect(dependencies.clickhouse?.error).to.be.a('string').that.is.not.empty;
      clickhouse.heal();
      await waitUntil(async () => (await readinessOf(service)).httpStatus === 200);
    });

    it('waits at most 3 seconds for a store', async () => {
      clickhouse.fault({ kind: 'hold', direction: 'to the service' });
      const { httpStatus, dependencies } = await readinessOf(service);
      expect(httpStatus).to.equal(503);
      expect(dependencies.clickhouse?.error).to.equal('timeout after 3000 ms');
    });

    it('reports an export folder without write access', async () => {
      await waitUntil(async () => (await readinessOf(service)).httpStatus === 200);
      expect((await readinessOf(service)).dependencies.objectStore).to.include({ ok: true });
      await rm(exportFolder, { recursive: true });
      await writeFile(exportFolder, 'not a folder');
      const { status, dependencies } = await readinessOf(service);
      expect(status).to.equal('degraded');
      const { objectStore } = dependencies;
      expect(objectStore).to.include({ ok: false, required: false });
      expect(objectStore?.error).to.match(/EEXIST|ENOTDIR/);
    });
  });

  it('does not depend on the object store, but reports its failure', async () => {
    const stack = await localStack();
    const { dataToken } = await newTenant(stack.database);
    const s3 = await startS3();
    const service = await startServiceProcess('query', s3.settings);
    try {
      expect((await readinessOf(service)).dependencies.objectStore).to.include({
        ok: true,
        kind: 's3',
      });
      await s3.stop();
      const { httpStatus, status, dependencies } = await readinessOf(service);
      expect({ httpStatus, status }).to.deep.equal({ httpStatus: 200, status: 'degraded' });
      expect(dependencies.objectStore).to.include({ ok: false, required: false });
      expect(dependencies.objectStore?.ageSeconds).to.be.greaterThan(0);
      expect((await new DataApi(service.url, dataToken).get('/metrics')).status).to.equal(200);
    } finally {
      await service.kill('SIGTERM');
    }
  });

  it('of the metadata service does not depend on ClickHouse, but reports its failure', async () => {
    const stores = await isolatedStores();
    const proxy = await startTcpProxy(stores.env.CLICKHOUSE_URL!);
    const service = await startServiceProcess('metadata', {
      ...stores.env,
      CLICKHOUSE_URL: proxy.url,
    });
    try {
      await waitUntil(
        async () => (await readinessOf(service)).dependencies.snapshot?.lagSeconds === 0,
      );
      const healthy = (await readinessOf(service)).dependencies;
      expect(Object.keys(healthy)).to.deep.equal(['postgres', 'clock', 'clickhouse', 'snapshot']);
      expect(healthy.clickhouse).to.include({ ok: true, required: false, lagSeconds: 0 });
      proxy.fault({ kind: 'cut', direction: 'to the service' });
      const { organisationId } = await newTenant(stores.database);
      await addAgent(stores.database, organisationId, { agentId: 'a', unitId: 1 });
      const { httpStatus, dependencies } = await readinessOf(service);
      expect(httpStatus).to.equal(200);
      expect(dependencies.clickhouse).to.include({ ok: false, required: false });
      expect(dependencies.snapshot?.lagSeconds).to.be.greaterThan(0);
    } finally {
      await service.kill('SIGTERM');
      await proxy.stop();
      await stores.close();
    }
  });
});
