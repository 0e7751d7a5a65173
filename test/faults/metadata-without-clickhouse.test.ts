import { createServer, connect, type Server, type Socket } from 'node:net';
import { join } from 'node:path';
import { expect } from 'chai';
import { type RunningService, startService } from '../../deploy/local/start-service.ts';
import { freePorts } from '../support/free-ports.ts';
import { localStack } from '../support/local-stack.ts';
import { metadataClient, type MetadataClient } from '../support/metadata-client.ts';
import { type OwnStores, ownStores } from '../support/own-stores.ts';
import { addAgent, newTenant } from '../support/tenant.ts';
import { until } from '../support/until.ts';

describe('while ClickHouse cannot be reached', () => {
  let stores: OwnStores;
  let service: RunningService;
  let client: MetadataClient;
  let opsUrl: string;
  let clickhousePort: number;
  let road: Server | undefined;

  before(async () => {
    stores = await ownStores();
    const { stateDir } = await localStack();
    const [port, opsPort, lost] = (await freePorts(3)) as [number, number, number];
    clickhousePort = lost;
    service = await startService({
      name: 'metadata',
      env: {
        PATH: process.env.PATH,
        ...stores.env,
        CLICKHOUSE_URL: `http://127.0.0.1:${lost}`,
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
    road?.close();
    await stores.close();
  });

  it('changes are accepted and kept, and the lag can be seen', async () => {
    const change = { agent: { unit_id: 1 }, metadata: { timezone: 'Asia/Tokyo' } };
    expect((await client.put(change)).status).to.equal(200);
    const { body } = await client.get('/metadata/unit/1');
    expect(body.data).to.have.property('timezone', 'Asia/Tokyo');

    await until(async () => (await snapshotFacts()).lastError !== undefined);
    const { ok, waitingChanges, lagSeconds } = await snapshotFacts();
    expect(ok).to.equal(true);
    expect(waitingChanges).to.be.greaterThan(0);
    expect(lagSeconds).to.be.greaterThan(0);
    expect(await figure('netpanel_snapshot_lag_seconds')).to.be.greaterThan(0);
    expect(await figure('netpanel_snapshot_failures_total')).to.be.greaterThan(0);
  });

  it('nothing is lost: the snapshot follows when it comes back', async () => {
    const { clickhouseUrl } = await localStack();
    road = createServer((socket) =>
      joined(socket, connect(Number(new URL(clickhouseUrl).port), '127.0.0.1')),
    );
    road.listen(clickhousePort, '127.0.0.1');
    await until(async () => (await figure('netpanel_snapshot_lag_seconds')) === 0);
    expect(await stores.differences()).to.deep.equal([]);
    expect(await figure('netpanel_snapshot_change_to_visible_seconds_count')).to.be.greaterThan(0);
  });

  interface SnapshotFacts {
    readonly ok: boolean;
    readonly waitingChanges: number;
    readonly lagSeconds: number;
    readonly lastError?: string;
  }

  async function snapshotFacts(): Promise<SnapshotFacts> {
    const reply = await fetch(`${opsUrl}/readyz`);
    expect(reply.status).to.equal(200);
    const { dependencies } = (await reply.json()) as { dependencies: { snapshot: SnapshotFacts } };
    return dependencies.snapshot;
  }

  async function figure(name: string): Promise<number> {
    const text = await (await fetch(`${opsUrl}/metrics`)).text();
    return Number(new RegExp(`^${name}\\{[^}]*\\} (\\S+)$`, 'm').exec(text)?.[1]);
  }
});

function joined(a: Socket, b: Socket): void {
  a.pipe(b).pipe(a);
  a.on('error', () => b.destroy());
  b.on('error', () => a.destroy());
}
