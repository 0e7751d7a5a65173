import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { DataApi } from '../../support/data-api.ts';
import { localStack } from '../../support/local-stack.ts';
import { type OwnStores, ownStores } from '../../support/own-stores.ts';
import { startS3 } from '../../support/s3-server.ts';
import { type ServiceProcess, startServiceProcess } from '../../support/service-process.ts';
import { addAgent, newTenant } from '../../support/tenant.ts';
import { until } from '../../support/until.ts';

interface Report {
  readonly ok: boolean;
  readonly required: boolean;
  readonly tookMs: number;
  readonly ageSeconds: number | null;
  readonly lagSeconds?: number;
  readonly error?: string;
  readonly version?: number | string;
  readonly publishedVersion?: number;
  readonly snapshotAgeSeconds?: number | null;
  readonly waitingChanges?: number;
}

interface Readiness {
  readonly httpStatus: number;
  readonly status: string;
  readonly dependencies: Readonly<Record<string, Report>>;
}

describe('readiness', function () {
  this.timeout(180_000);

  describe('of the query service', () => {
    let stores: OwnStores;
    let service: ServiceProcess;

    before(async () => {
      stores = await ownStores();
      service = await startServiceProcess('query', stores.env);
    });
    after(async () => {
      await service.kill('SIGTERM');
      await stores.close();
    });

    it('tells each dependency: whether it is needed, its age and its lag', async () => {
      const { httpStatus, status, dependencies } = await readinessOf(service);
      expect({ httpStatus, status }).to.deep.equal({ httpStatus: 200, status: 'ready' });
      expect(Object.keys(dependencies)).to.deep.equal([
        'postgres',
        'clickhouse',
        'snapshot',
        'objectStore',
      ]);
      const facts = Object.entries(dependencies).map(([name, { ok, required, ...rest }]) => ({
        ...{ name, ok, required },
        ...{ ageSeconds: rest.ageSeconds, lagSeconds: rest.lagSeconds },
      }));
      const well = { ok: true, ageSeconds: 0, lagSeconds: 0 };
      expect(facts).to.deep.equal([
        { name: 'postgres', required: true, ...well },
        { name: 'clickhouse', required: true, ...well },
        { name: 'snapshot', required: false, ...well },
        { name: 'objectStore', required: false, ...well },
      ]);
    });

    it('tells how old the metadata is that queries use, and how far it is behind', async () => {
      const empty = (await readinessOf(service)).dependencies.snapshot;
      expect(empty).to.include({ version: 0, publishedVersion: 0, snapshotAgeSeconds: null });

      const { organisationId } = await newTenant(stores.database);
      await addAgent(stores.database, organisationId, { agentId: 'a', unitId: 1 });
      const behind = (await readinessOf(service)).dependencies.snapshot;
      expect(behind?.waitingChanges).to.be.greaterThan(0);
      expect(behind?.lagSeconds).to.be.greaterThan(0);

      const publisher = stores.startPublisher();
      await until(async () => (await readinessOf(service)).dependencies.snapshot?.lagSeconds === 0);
      await publisher.stop();
      const { version, publishedVersion, snapshotAgeSeconds } = (await readinessOf(service))
        .dependencies.snapshot!;
      expect(version).to.equal(publishedVersion).and.to.be.greaterThan(0);
      expect(snapshotAgeSeconds).to.be.greaterThan(0);
    });
  });

  it('is lost with ClickHouse, tells since when, and comes back with it', async () => {
    const proxy = await startTcpProxy((await localStack()).clickhouseUrl);
    const service = await startServiceProcess('query', { CLICKHOUSE_URL: proxy.url });
    try {
      await readinessOf(service);
      proxy.fault({ kind: 'cut', direction: 'to the service' });
      const { httpStatus, status, dependencies } = await readinessOf(service);
      expect({ httpStatus, status }).to.deep.equal({ httpStatus: 503, status: 'not ready' });
      expect(dependencies.postgres).to.include({ ok: true });
      expect(dependencies.clickhouse).to.include({ ok: false, required: true });
      expect(dependencies.clickhouse?.ageSeconds).to.be.greaterThan(0);
      expect(dependencies.clickhouse?.error).to.be.a('string').that.is.not.empty;
      proxy.heal();
      await until(async () => (await readinessOf(service)).httpStatus === 200);
    } finally {
      await service.kill('SIGTERM');
      await proxy.stop();
    }
  });

  it('does not wait for a store that hangs longer than 3 seconds', async () => {
    const proxy = await startTcpProxy((await localStack()).clickhouseUrl);
    const service = await startServiceProcess('query', { CLICKHOUSE_URL: proxy.url });
    try {
      proxy.fault({ kind: 'hold', direction: 'to the service' });
      const { httpStatus, dependencies } = await readinessOf(service);
      expect(httpStatus).to.equal(503);
      expect(dependencies.clickhouse?.error).to.equal('timeout after 3000 ms');
    } finally {
      proxy.heal();
      await service.kill('SIGTERM');
      await proxy.stop();
    }
  });

  it('stays when the object store goes, which is told: queries work without it', async () => {
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
      expect({ httpStatus, status }).to.deep.equal({ httpStatus: 200, status: 'ready' });
      expect(dependencies.objectStore).to.include({ ok: false, required: false });
      expect(dependencies.objectStore?.ageSeconds).to.be.greaterThan(0);
      expect((await new DataApi(service.url, dataToken).get('/metrics')).status).to.equal(200);
    } finally {
      await service.kill('SIGTERM');
    }
  });

  it('tells that nothing can be written to the folder of the exports', async () => {
    const parent = await mkdtemp(join(tmpdir(), 'netpanel-readiness-'));
    const folder = join(parent, 'exports');
    const service = await startServiceProcess('query', { EXPORT_FOLDER: folder });
    try {
      expect((await readinessOf(service)).dependencies.objectStore).to.include({ ok: true });
      await rm(folder, { recursive: true });
      await writeFile(folder, 'no folder any more');
      const { objectStore } = (await readinessOf(service)).dependencies;
      expect(objectStore).to.include({ ok: false, required: false });
      expect(objectStore?.error).to.match(/EEXIST|ENOTDIR/);
    } finally {
      await service.kill('SIGTERM');
      await rm(parent, { recursive: true });
    }
  });

  it('of the metadata service does not need ClickHouse, and tells that it is away', async () => {
    const stores = await ownStores();
    const proxy = await startTcpProxy(stores.env.CLICKHOUSE_URL!);
    const service = await startServiceProcess('metadata', {
      ...stores.env,
      CLICKHOUSE_URL: proxy.url,
    });
    try {
      await until(async () => (await readinessOf(service)).dependencies.snapshot?.lagSeconds === 0);
      const well = (await readinessOf(service)).dependencies;
      expect(Object.keys(well)).to.deep.equal(['postgres', 'clickhouse', 'snapshot']);
      expect(well.clickhouse).to.include({ ok: true, required: false, lagSeconds: 0 });
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

async function readinessOf({ opsUrl }: ServiceProcess): Promise<Readiness> {
  const answer = await fetch(`${opsUrl}/readyz`);
  const body = (await answer.json()) as Omit<Readiness, 'httpStatus'>;
  return { httpStatus: answer.status, ...body };
}
