import { createServer, connect, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { type RunningService, startService } from '../../deploy/local/start-service.ts';
import { freePorts } from '../support/free-ports.ts';
import { localStack } from '../support/local-stack.ts';
import { ScrapedMetrics } from '../support/scraped-metrics.ts';
import { metadataClient, type MetadataClient } from '../support/metadata-client.ts';
import { type IsolatedStores, isolatedStores } from '../support/isolated-stores.ts';
import { addAgent, newTenant } from '../support/tenant.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('while ClickHouse is unreachable, the metadata service', () => {
  let stores: IsolatedStores;
  let service: RunningService;
  let client: MetadataClient;
  let opsUrl: string;
  let clickhousePort: number;
  let proxy: Server | undefined;

  before(async () => {
    stores = await isolatedStores();
    const { stateDir } = await localStack();
    const [port, opsPort, unusedPort] = (await freePorts(3)) as [number, number, number];
    clickhousePort = unusedPort;
    service = await startService({
      name: 'metadata',
      env: {
        PATH: process.env.PATH,
        ...stores.env,
        CLICKHOUSE_URL: `http://127.0.0.1:${unusedPort}`,
        METADATA_PORT: String(port),
        METADATA_OPS_PORT: String(opsPort),
      },
      opsPort,
      logFile: join(stateDir, 'metadata-without-clickhouse.log'),
    });
    opsUrl = `http://127.0.0.1:${opsPort}`;
    const { organisationId, metadataToken } = await newTenant(stores.database);
    await addAgent(stores.database, organisationId, { agentId: 'a', unitId: 1 });
    client = metadataClient(`http://127.0.0.1:${port}`, metadataToken);
  });
  after(async () => {
    await service.stop();
    proxy?.close();
    await stores.close();
  });

  it('accepts and stores changes, and reports the lag', async () => {
    const change = { agent: { unit_id: 1 }, metadata: { timezone: 'Asia/Tokyo' } };
    expect((await client.put(change)).status).to.equal(200);
    const { body } = await client.get('/metadata/unit/1');
    expect(body.data).to.have.property('timezone', 'Asia/Tokyo');

    await waitUntil(async () => (await snapshotStatus()).lastError !== undefined);
    const { ok, waitingChanges, lagSeconds } = await snapshotStatus();
    expect(ok).to.equal(true);
    expect(waitingChanges).to.be.greaterThan(0);
    expect(lagSeconds).to.be.greaterThan(0);
    expect(await metric('netpanel_snapshot_lag_seconds')).to.be.greaterThan(0);
    expect(await metric('netpanel_snapshot_failures_total')).to.be.greaterThan(0);
  });

  it('publishes all changes when ClickHouse is back', async () => {
    const { clickhouseUrl } = await localStack();
    proxy = createServer((socket) =>
      connectSockets(socket, connect(Number(new URL(clickhouseUrl).port), '127.0.0.1')),
    );
    proxy.listen(clickhousePort, '127.0.0.1');
    await waitUntil(async () => (await metric('netpanel_snapshot_lag_seconds')) === 0);
    expect(await stores.differences()).to.deep.equal([]);
    expect(await metric('netpanel_snapshot_change_to_visible_seconds_count')).to.be.greaterThan(0);
  });

  interface SnapshotStatus {
    readonly ok: boolean;
    readonly waitingChanges: number;
    readonly lagSeconds: number;
    readonly lastError?: string;
  }

  async function snapshotStatus(): Promise<SnapshotStatus> {
    const reply = await fetch(`${opsUrl}/readyz`);
    expect(reply.status).to.equal(200);
    const { dependencies } = (await reply.json()) as { dependencies: { snapshot: SnapshotStatus } };
    return dependencies.snapshot;
  }

  async function metric(name: string): Promise<number> {
    return (await ScrapedMetrics.from(opsUrl)).value(name);
  }
});

function connectSockets(a: Socket, b: Socket): void {
  a.pipe(b).pipe(a);
  a.on('error', () => b.destroy());
  b.on('error', () => a.destroy());
}
