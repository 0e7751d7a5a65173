import { join } from 'node:path';
import { expect } from 'chai';
import { type RunningService, startService } from '../../deploy/local/start-service.ts';
import {
  changeTables,
  snapshotTables,
} from '../../services/metadata/snapshot/publication-tables.ts';
import { type PublishStep, publishSteps } from '../../services/metadata/snapshot/publish-tools.ts';
import { readMetadataVersions } from '../../services/registry/versions/metadata-versions.ts';
import { changeMetadata } from '../support/change-metadata.ts';
import { freePorts } from '../support/free-ports.ts';
import { localStack } from '../support/local-stack.ts';
import { type IsolatedStores, isolatedStores } from '../support/isolated-stores.ts';
import { publishedMetadata } from '../support/published-metadata.ts';
import { runBuilt } from '../support/run-built.ts';
import { addAgent, newTenant, type Tenant } from '../support/tenant.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { waitUntil } from '../support/wait-until.ts';

describe('a killed publisher', () => {
  let stores: IsolatedStores;
  let tenant: Tenant;
  let agentKey: number;
  let hoursAgo = 100;

  before(async () => {
    stores = await isolatedStores();
    tenant = await newTenant(stores.database);
    agentKey = await addAgent(stores.database, tenant.organisationId, { agentId: 'a', unitId: 1 });
    await change('round 0');
    await publish();
  });
  after(() => stores.close());

  for (const step of publishSteps) {
    it(`leaves a complete version at "${step}", and the next publisher finishes its work`, async () => {
      const { before, after, version } = await prepare(step);
      const { code, stderr } = await runBuilt('test/faults/publish-until-killed.js', stores.env, [
        step,
      ]);
      expect(code, stderr).to.equal(null);
      expect(await roundInUse()).to.be.oneOf([before, after]);
      // A version counts as published only when queries are certain to use it. Folding publishes none.
      if (before !== after) expect(await publishedVersion()).to.be.lessThan(version);

      await publish();
      expect(await roundInUse()).to.equal(after);
      expect(await publishedVersion()).to.equal(version);
      expect(await stores.differences()).to.deep.equal([]);
      expect(await versionsKept('agent_metadata_period')).to.equal(1);
      expect(await versionsKept('agent_metadata_change')).to.be.at.most(1);
    });
  }

  it('leaves the old version during its insert, and the next metadata service finishes its work', async () => {
    const agents = Array.from({ length: 500 }, (_, i) => ({
      organisation_id: tenant.organisationId,
      agent_id: `more-${i}`,
      unit_id: 1_000 + i,
      kind: 'whitebox',
    }));
    await stores.database('agents').insert(agents);
    const before = await roundInUse();
    const proxy = await startTcpProxy(stores.env.CLICKHOUSE_URL!);
    // More bytes than all queries before the insert, and fewer than the insert.
    proxy.fault({ kind: 'hold', direction: 'to the store', afterBytes: 30_000 });
    try {
      const killed = await startMetadata(proxy.url);
      await change('mid-insert');
      await waitUntil(() => proxy.struck > 0);
      process.kill(killed.pid, 'SIGKILL');
      await killed.ended;
      proxy.heal();
      expect(await roundInUse()).to.equal(before);

      const next = await startMetadata(proxy.url);
      await waitUntil(async () => (await stores.differences()).length === 0);
      await next.stop();
      expect(await roundInUse()).to.equal('mid-insert');
      expect(await versionsKept('agent_metadata_period')).to.equal(1);
      expect(await versionsKept('agent_metadata_change')).to.be.at.most(1);
    } finally {
      await proxy.stop();
    }
  });

  it('is followed by one that publishes everything again when ClickHouse has lost the snapshot', async () => {
    for (const { rows, publications, dictionary } of [snapshotTables, changeTables]) {
      await stores.clickhouse.command({ query: `TRUNCATE TABLE ${rows}` });
      await stores.clickhouse.command({ query: `TRUNCATE TABLE ${publications}` });
      await stores.clickhouse.command({ query: `SYSTEM RELOAD DICTIONARY ${dictionary}` });
    }
    expect(await stores.differences()).not.to.deep.equal([]);
    const publisher = stores.startPublisher();
    await waitUntil(async () => (await stores.differences()).length === 0);
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

  /** Makes the publisher pass the step. Returns the rounds that queries see, and the current version. */
  async function prepare(step: PublishStep) {
    const before = await roundInUse();
    const { organisationId } = tenant;
    await change(step);
    if (step.startsWith('fold')) {
      await publish();
      await stores
        .database('snapshot_organisations')
        .where({ organisation_id: organisationId })
        .update({ changed_agents: 1, changed_since: new Date(0) });
    }
    // Without agents: all are to be published.
    if (step.startsWith('snapshot')) {
      await stores.database('snapshot_outbox').insert({ organisation_id: organisationId });
    }
    const { current } = await readMetadataVersions(stores.database, organisationId);
    return { before: step.startsWith('fold') ? step : before, after: step, version: current };
  }

  function change(round: string) {
    return changeMetadata(stores.database, tenant, {
      agent: { unit_id: 1 },
      metadata: { custom: { round } },
      backdate_from: Math.floor(Date.now() / 1000) - hoursAgo-- * 3_600,
    });
  }

  async function publish(): Promise<void> {
    const publisher = stores.startPublisher();
    await waitUntil(
      async () =>
        (await stores.database('snapshot_outbox').first('id')) === undefined &&
        (await stores
          .database('snapshot_organisations')
          .where({ changed_since: new Date(0) })
          .first()) === undefined,
    );
    await publisher.stop();
  }

  async function publishedVersion(): Promise<number> {
    return (await readMetadataVersions(stores.database, tenant.organisationId)).published;
  }

  function roundInUse(): Promise<string> {
    return queryText(
      `SELECT JSONExtractString(${publishedMetadata('custom_json', agentKey, "now('UTC')")}, 'round') AS found`,
    );
  }

  async function versionsKept(table: string): Promise<number> {
    return Number(
      await queryText(`SELECT toString(uniqExact(publication)) AS found FROM ${table}`),
    );
  }

  async function queryText(query: string): Promise<string> {
    const result = await stores.clickhouse.query({ query, format: 'JSONEachRow' });
    const [row] = await result.json<{ found: string }>();
    return row!.found;
  }
});
