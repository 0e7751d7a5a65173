import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type RunningService, startService } from '../../deploy/local/start-service.ts';
import { Random } from '../property/random.ts';
import { freePorts } from '../support/free-ports.ts';
import { localStack } from '../support/local-stack.ts';
import { type IsolatedStores, isolatedStores } from '../support/isolated-stores.ts';
import { type S3Server, startS3 } from '../support/s3-server.ts';
import {
  type Direction,
  directions,
  type Fault,
  startTcpProxy,
  type TcpProxy,
} from '../support/tcp-proxy.ts';
import { waitUntil } from '../support/wait-until.ts';
import { beginExport, exportOutcome } from './export-outcome.ts';
import { type FaultPanel, faultPanel } from './fault-panel.ts';
import { faultSeed, isProof, recoveryMs } from './fault-settings.ts';
import { PanelClient } from './panel-client.ts';

const storeNames = ['Postgres', 'ClickHouse', 'S3'] as const;
type StoreName = (typeof storeNames)[number];
const kinds = ['delay', 'cut', 'reset', 'half-close', 'swallow'] as const;

/** `make test` covers every kind of fault once, and two per store. */
const shortRun: Readonly<Record<StoreName, readonly (typeof kinds)[number][]>> = {
  Postgres: ['cut', 'swallow'],
  ClickHouse: ['reset', 'half-close'],
  S3: ['delay', 'cut'],
};

/** Bytes that one connection certainly transfers in one scenario. */
const transferredBytes: Readonly<Record<StoreName, Record<Direction, number>>> = {
  Postgres: { 'to the store': 400, 'to the service': 300 },
  ClickHouse: { 'to the store': 1_500, 'to the service': 60_000 },
  S3: { 'to the store': 300_000, 'to the service': 100 },
};

interface Scenario {
  readonly store: StoreName;
  readonly fault: Required<Pick<Fault, 'kind' | 'direction' | 'afterBytes'>>;
}

describe('a network fault between the services and a store is survived', () => {
  let stores: IsolatedStores;
  let s3: S3Server;
  let proxies: Readonly<Record<StoreName, TcpProxy>>;
  let services: readonly RunningService[] = [];
  let opsUrls: readonly string[];
  let panel: FaultPanel;
  let client: PanelClient;
  let round = 0;

  before(async () => {
    const { stateDir } = await localStack();
    stores = await isolatedStores();
    s3 = await startS3();
    proxies = {
      Postgres: await startTcpProxy(stores.env.DATABASE_URL!),
      ClickHouse: await startTcpProxy(stores.env.CLICKHOUSE_URL!),
      S3: await startTcpProxy(s3.settings.S3_ENDPOINT!),
    };
    panel = await faultPanel(stores.database, stores.clickhouse, 5_000);
    const [query, metadata, queryOps, metadataOps] = (await freePorts(4)) as [...FourPorts];
    const env = {
      PATH: process.env.PATH,
      ...stores.env,
      ...s3.settings,
      DATABASE_URL: proxies.Postgres.url,
      CLICKHOUSE_URL: proxies.ClickHouse.url,
      S3_ENDPOINT: proxies.S3.url,
      QUERY_PORT: String(query),
      METADATA_PORT: String(metadata),
      QUERY_OPS_PORT: String(queryOps),
      METADATA_OPS_PORT: String(metadataOps),
      // Timeouts short enough for a test, and no cache that would save a query.
      DATABASE_TIMEOUT_MS: '3000',
      QUERY_TIMEOUT_MS: '5000',
      EXPORT_HEARTBEAT_MS: '500',
      TOKEN_CACHE_MS: '0',
      ACCESS_CACHE_MS: '0',
    };
    const start = (name: 'query' | 'metadata', opsPort: number) =>
      startService({ name, env, opsPort, logFile: join(stateDir, `store-faults-${name}.log`) });
    services = await Promise.all([start('query', queryOps), start('metadata', metadataOps)]);
    opsUrls = [queryOps, metadataOps].map((port) => `http://127.0.0.1:${port}`);
    client = new PanelClient(panel, {
      queryUrl: `http://127.0.0.1:${query}`,
      metadataUrl: `http://127.0.0.1:${metadata}`,
    });
    await waitUntil(async () => (await client.queryByRound().catch(() => undefined)) === 0);
  });

  after(async () => {
    for (const proxy of Object.values(proxies)) proxy.heal();
    await Promise.all(services.map((service) => service.stop()));
    for (const proxy of Object.values(proxies)) await proxy.stop();
    await s3.stop();
    await stores.close();
  });

  for (const scenario of scenarios()) {
    const { store, fault } = scenario;
    it(`${store}: ${fault.kind} ${fault.direction} after ${fault.afterBytes} bytes`, async () => {
      const proxy = proxies[store];
      proxy.fault(fault);
      const working = Promise.all([
        client.putRound(++round),
        client.queryByRound(),
        client.streamRaw(),
        beginExport(client, panel),
      ]);
      await Promise.race([working, sleep(1_500)]);
      // The export and the publishing of the change continue in the background.
      await sleep(300);
      await waitUntil(() => proxy.struck > 0, recoveryMs);
      proxy.heal();
      const healedAtMs = Date.now();
      const leftMs = () => Math.max(1_000, healedAtMs + recoveryMs - Date.now());
      const [, , , exportId] = await working;
      await waitUntil(hasRecovered, leftMs());
      if (store === 'ClickHouse' && fault.kind === 'swallow' && exportId !== undefined) {
        // A silent ClickHouse may run a long query: the export times out after ten minutes.
        await client.remove(`/exports/${exportId}`);
      }
      if (exportId !== undefined) {
        await waitUntil(
          async () => (await exportOutcome(client, panel, exportId)) !== undefined,
          leftMs(),
        );
      }
      await waitUntil(async () => await canExport(), leftMs());
    });
  }

  /** Both services are ready, and the acknowledged change is visible. */
  async function hasRecovered(): Promise<boolean> {
    for (const url of opsUrls) if (!(await fetch(`${url}/readyz`)).ok) return false;
    const known = await client.roundOf(1);
    if (known === undefined) return false;
    expect(known, 'an acknowledged change is lost').to.be.oneOf([client.acknowledged, client.sent]);
    if ((await client.queryByRound()) !== known || !(await client.streamRaw())) return false;
    expect(await stores.differences()).to.deep.equal([]);
    client.acknowledged = known;
    return true;
  }

  async function canExport(): Promise<boolean> {
    const id = await beginExport(client, panel);
    if (id === undefined) return false;
    let ended: string | undefined;
    await waitUntil(
      async () => (ended = await exportOutcome(client, panel, id)) !== undefined,
      recoveryMs,
    );
    return ended === 'ready';
  }
});

type FourPorts = readonly [number, number, number, number];

/** Each fault of each store. A proof covers both directions, at once and after three random byte counts. */
function scenarios(): readonly Scenario[] {
  const random = new Random(faultSeed);
  return storeNames.flatMap((store) =>
    kinds.flatMap((kind, i) => {
      if (!isProof && !shortRun[store].includes(kind)) return [];
      const points = isProof ? [0, 1, 2, 3] : [i];
      const covered = isProof ? directions : [directions[i % 2]!];
      return covered.flatMap((direction) =>
        points.map((point) => {
          const afterBytes =
            point === 0 ? 0 : random.between(1, transferredBytes[store][direction]);
          return { store, fault: { kind, direction, afterBytes } };
        }),
      );
    }),
  );
}
