import { join } from 'node:path';
import { expect } from 'chai';
import { type RunningService, startService } from '../../deploy/local/start-service.ts';
import { publishSteps } from '../../services/metadata/snapshot/publish-snapshot.ts';
import { changeMetadata } from '../support/change-metadata.ts';
import { freePorts } from '../support/free-ports.ts';
import { localStack } from '../support/local-stack.ts';
import { type OwnStores, ownStores } from '../support/own-stores.ts';
import { runBuilt } from '../support/run-built.ts';
import { addAgent, newTenant, type Tenant } from '../support/tenant.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';

describe('a publisher that is killed', () => {
  let stores: OwnStores;
  let tenant: Tenant;
  let agentKey: number;
  let days = 20;

  before(async () => {
    stores = await ownStores();
    tenant = await newTenant(stores.database);
    agentKey = await addAgent(stores.database, tenant.organisationId, { agentId: 'a', unitId: 1 });
    await change('round 0');
    await publish();
  });
  after(() => stores.close());

  for (const step of publishSteps) {
    it(`at "${step}" leaves a whole version in use, and the next one finishes its work`, async function () {
      this.timeout(120_000);
      const before = await roundInUse();
      await change(step);
      const { code, stderr } = await runBuilt('test/faults/publish-and-die.js', stores.env, [step]);
      expect(code, stderr).to.equal(null);
      expect(await roundInUse()).to.be.oneOf([before, step]);

      await publish();
      expect(await roundInUse()).to.equal(step);
      expect(await stores.differences()).to.deep.equal([]);
      expect(await versionsKept()).to.equal(1);
    });
  }

  it('in the middle of its insert, as the real service, is followed by one that finishes', async () => {
    const agents = Array.from({ length: 500 }, (_, i) => ({
      organisation_id: tenant.organisationId,
      agent_id: `more-${i}`,
      unit_id: 1_000 + i,
      kind: 'whitebox',
    }));
    await stores.database('agents').insert(agents);
    const before = await roundInUse();
    const proxy = await startTcpProxy(stores.env.CLICKHOUSE_URL!);
    // Far more than the questions before the insert have, and less than the insert.
    proxy.fault({ kind: 'hold', direction: 'to the store', afterBytes: 30_000 });
    try {
      const killed = await startMetadata(proxy.url);
      await change('mid-insert');
      await until(() => Promise.resolve(proxy.struck > 0), 60_000);
      process.kill(killed.pid, 'SIGKILL');
      await killed.ended;
      proxy.heal();
      expect(await roundInUse()).to.equal(before);

      const next = await startMetadata(proxy.url);
      await until(async () => (await stores.differences()).length === 0, 60_000);
      await next.stop();
      expect(await roundInUse()).to.equal('mid-insert');
      expect(await versionsKept()).to.equal(1);
    } finally {
      await proxy.stop();
    }
  });

  it('as ClickHouse lost everything is followed by one that publishes anew', async function () {
    this.timeout(120_000);
    await stores.clickhouse.command({ query: 'TRUNCATE TABLE agent_metadata_snapshot' });
    await stores.clickhouse.command({ query: 'TRUNCATE TABLE agent_metadata_version' });
    await stores.clickhouse.command({ query: 'SYSTEM RELOAD DICTIONARY agent_metadata' });
    expect(await stores.differences()).not.to.deep.equal([]);
    const publisher = stores.startPublisher();
    await until(async () => (await stores.differences()).length === 0);
    await publisher.stop();
  });

  async function startMetadata(clickhouseUrl: string): Promise<RunningService> {
    const { stateDir } = await localStack();
    const [port, opsPort] = (await freePorts(2)) as [number, number];
    return startService({
      name: 'metadata',
      env: {
        PATH: process.env.PATH,
        ...stores.env,
        CLICKHOUSE_URL: clickhouseUrl,
        METADATA_PORT: String(port),
        METADATA_OPS_PORT: String(opsPort),
      },
      opsPort,
      logFile: join(stateDir, 'publishing-killed.log'),
    });
  }

  function change(round: string) {
    return changeMetadata(stores.database, tenant, {
      agent: { unit_id: 1 },
      metadata: { custom: { round } },
      backdate_from: Math.floor(Date.now() / 1000) - days-- * 86_400,
    });
  }

  async function publish(): Promise<void> {
    const publisher = stores.startPublisher();
    await until(async () => (await stores.database('snapshot_outbox').first('id')) === undefined);
    await publisher.stop();
  }

  function roundInUse(): Promise<string> {
    return one(
      `SELECT JSONExtractString(dictGet(currentDatabase() || '.agent_metadata', 'custom_json', toUInt64(${agentKey}), now('UTC')), 'round') AS found`,
    );
  }

  async function versionsKept(): Promise<number> {
    return Number(
      await one('SELECT toString(uniqExact(version)) AS found FROM agent_metadata_snapshot'),
    );
  }

  async function one(query: string): Promise<string> {
    const result = await stores.clickhouse.query({ query, format: 'JSONEachRow' });
    const [row] = await result.json<{ found: string }>();
    return row!.found;
  }
});
