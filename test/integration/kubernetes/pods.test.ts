import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { chartFolder } from '../../../deploy/helm/chart-files.ts';
import { serviceDatabaseUrl } from '../../../deploy/local/service-database-url.ts';
import {
  type ControlPlane,
  controlPlanePrograms,
  startControlPlane,
} from '../../kubernetes/control-plane.ts';
import { environmentOf } from '../../kubernetes/pod-environment.ts';
import { type Pod, runPods } from '../../kubernetes/pod-runner.ts';
import { addStrictNamespace } from '../../kubernetes/strict-namespace.ts';
import { assembleImage } from '../../support/assemble-image.ts';
import { freePorts } from '../../support/free-ports.ts';
import { emptyIsolatedStores, type IsolatedStores } from '../../support/isolated-stores.ts';
import { readinessOf } from '../../support/readiness-of.ts';
import { expectSentAndExported } from '../../support/sent-and-exported.ts';
import { type ServiceProcess, spawnService } from '../../support/service-process.ts';
import { skipBecause } from '../../support/skip-because.ts';

type Service = 'query' | 'metadata' | 'ingest';

const namespace = 'netpanel';
const components = ['query', 'metadata', 'ingest', 'migrate'] as const;

// The pods that the API server admits are run as processes: the content of the image with the environment of the pod.
describe('the pods of the chart', () => {
  let stores: IsolatedStores;
  let cluster: ControlPlane;
  let app: string;
  let exportFolder: string;
  const started = new Map<string, ServiceProcess>();
  const stops: (() => unknown)[] = [];

  before(async function () {
    const bin = controlPlanePrograms();
    if (bin === undefined) return skipBecause(this, 'make test-kubernetes runs it');
    stores = await emptyIsolatedStores();
    stops.push(() => stores.close());
    app = await assembleImage();
    exportFolder = mkdtempSync(join(tmpdir(), 'netpanel-exports-'));
    stops.push(() => [app, exportFolder].map((folder) => rmSync(folder, { recursive: true })));
    cluster = await startControlPlane(bin);
    stops.push(() => cluster.stop());
    await addStrictNamespace(cluster, namespace);
    await addSecrets();
    const pods = runPods(cluster, bin, runPod);
    stops.push(() => pods.stop());
    stops.push(() => Promise.all([...started.values()].map((one) => one.kill('SIGTERM'))));
    await cluster
      .helm(
        ...['install', 'netpanel', chartFolder, '--namespace', namespace, '--timeout=4m', '--wait'],
        ...['--values', join(chartFolder, 'examples/trial.yaml'), ...storeValues()],
      )
      .catch((error: unknown) => {
        // helm only says that it has waited too long.
        throw new AggregateError([error, ...pods.errors], [error, ...pods.errors].join('\n'));
      });
    return undefined;
  });
  after(async () => {
    for (const stop of stops.reverse()) await stop();
  });

  it('migrate, become ready, store a result and export it', async () => {
    for (const name of ['query', 'metadata', 'ingest']) {
      const { status, dependencies } = await readinessOf(started.get(name)!);
      expect(status, JSON.stringify(dependencies)).to.equal('ready');
    }
    await expectSentAndExported(stores.database, {
      ingestUrl: started.get('ingest')!.url,
      queryUrl: started.get('query')!.url,
    });
  });

  /** What a node would do. Addresses and folders of this machine take the place of the pod's. */
  async function runPod(pod: Pod): Promise<void> {
    const component = pod.metadata.labels['app.kubernetes.io/component'];
    const env = { PATH: process.env.PATH ?? '', ...(await environmentOf(cluster, pod)) };
    const [container] = pod.spec.containers;
    if (component === 'migrate') {
      const [program = '', ...args] = container?.args ?? [];
      await promisify(execFile)(process.execPath, [join(app, program), ...args], { env });
      return;
    }
    const [port, opsPort] = (await freePorts(2)) as [number, number];
    const prefix = String(component).toUpperCase();
    const service = await spawnService(component as Service, {
      env: {
        ...env,
        HOST: '127.0.0.1',
        [`${prefix}_PORT`]: String(port),
        [`${prefix}_OPS_PORT`]: String(opsPort),
        PUBLIC_URL: `http://127.0.0.1:${port}`,
        ...('EXPORT_FOLDER' in env && { EXPORT_FOLDER: exportFolder }),
      },
      port,
      opsPort,
      options: { root: app },
    });
    started.set(String(component), service);
  }

  /** The embedded ClickHouse has no users but one, Postgres has one for each service. */
  async function addSecrets(): Promise<void> {
    const ownerUrl = stores.env.DATABASE_URL!;
    const urls = Object.fromEntries(
      (['query', 'metadata', 'ingest'] as const).map((name) => [
        `${name.toUpperCase()}_DATABASE_URL`,
        serviceDatabaseUrl(name, ownerUrl),
      ]),
    );
    const secret = (name: string, stringData: Readonly<Record<string, string>>) => ({
      apiVersion: 'v1',
      kind: 'Secret',
      metadata: { name, namespace },
      stringData,
    });
    const password = stores.env.CLICKHOUSE_PASSWORD!;
    await cluster.apply(
      secret('netpanel-postgres', { DATABASE_URL: ownerUrl, ...urls }),
      ...components.map((name) => secret(`netpanel-clickhouse-${name}`, { password })),
    );
  }

  function storeValues(): readonly string[] {
    const { CLICKHOUSE_URL, CLICKHOUSE_DATABASE, CLICKHOUSE_USER } = stores.env;
    return [
      `clickhouse.url=${CLICKHOUSE_URL}`,
      `clickhouse.database=${CLICKHOUSE_DATABASE}`,
      ...components.map((name) => `clickhouse.users.${name}.name=${CLICKHOUSE_USER}`),
      ...components
        .filter((name) => name !== 'migrate')
        .map((name) => `postgres.urlKeys.${name}=${name.toUpperCase()}_DATABASE_URL`),
    ].flatMap((value) => ['--set-string', value]);
  }
});
