import { expect } from 'chai';
import type { Snapshots } from '../../../services/metadata/snapshot/start-snapshots.ts';
import { readMetadataVersions } from '../../../services/registry/versions/metadata-versions.ts';
import { lockTable } from '../../../services/shared/postgres/lock-table.ts';
import { tryLocks } from '../../../services/shared/postgres/with-advisory-lock.ts';
import { changeMetadata } from '../../support/change-metadata.ts';
import { type IsolatedStores, isolatedStores } from '../../support/isolated-stores.ts';
import { publishedMetadata } from '../../support/published-metadata.ts';
import { runBuilt } from '../../support/run-built.ts';
import { addAgent, newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('a change of some agents', () => {
  let stores: IsolatedStores;
  let tenant: Tenant;
  let agentKeys: number[];
  let publisher: Snapshots;

  before(async () => (stores = await isolatedStores()));
  after(() => stores.close());
  beforeEach(async () => {
    tenant = await newTenant(stores.database);
    agentKeys = [];
    for (const unitId of [1, 2, 3]) {
      const agent = { agentId: `box-${unitId}`, unitId };
      agentKeys.push(await addAgent(stores.database, tenant.organisationId, agent));
    }
    publisher = stores.startPublisher();
    await published();
    await snapshotOfAll();
  });
  afterEach(async () => {
    await publisher.stop();
  });

  it('is published without the other agents, and queries see it before the snapshot', async () => {
    const snapshot = await snapshotNumber();
    await change(2, 'gold');
    await published();
    expect(await values(`SELECT DISTINCT agent_key AS value ${ofChanges()}`)).to.deep.equal([
      String(agentKeys[1]),
    ]);
    expect(await snapshotNumber()).to.equal(snapshot);
    expect(await tiers()).to.deep.equal(['', 'gold', '']);
    expect(await stores.differences()).to.deep.equal([]);

    await change(3, 'silver');
    await published();
    expect(await snapshotNumber()).to.equal(snapshot);
    expect(await tiers()).to.deep.equal(['', 'gold', 'silver']);
    expect(await tiersIn('agent_metadata_current')).to.deep.equal(['', 'gold', 'silver']);
    expect(await stores.differences()).to.deep.equal([]);
  });

  it('is folded into a new snapshot after a minute, and queries see the same', async () => {
    const snapshot = await snapshotNumber();
    await change(1, 'gold');
    await published();
    expect(await hasChanges()).to.equal(true);
    await fold();
    expect(await snapshotNumber()).to.be.greaterThan(snapshot);
    expect(await hasChanges()).to.equal(false);
    expect(await values(`SELECT count() AS value ${ofChanges()}`)).to.deep.equal(['0']);
    expect(await tiersIn('agent_metadata_base')).to.deep.equal(['gold', '', '']);
    expect(await tiers()).to.deep.equal(['gold', '', '']);
    expect(await stores.differences()).to.deep.equal([]);
  });

  it('is published while a snapshot of another organisation is being written', async () => {
    await stores.database.transaction(async (holder) => {
      await waitUntil(async () => {
        const taken = await tryLocks(holder, [lockTable.snapshotsLane()]);
        return taken.length > 0;
      });
      await change(1, 'gold');
      await published();
      expect(await tiers()).to.deep.equal(['gold', '', '']);
    });
  });

  it('is published as a snapshot if it has more than 10,000 agents', async () => {
    const snapshot = await snapshotNumber();
    await stores.database.raw(
      `insert into agents (organisation_id, agent_id, unit_id, kind)
       select ?, 'many-' || n, n, 'whitebox' from generate_series(10, 10010) n`,
      [tenant.organisationId],
    );
    await published();
    expect(await snapshotNumber()).to.be.greaterThan(snapshot);
    expect(await hasChanges()).to.equal(false);
    expect(await stores.differences()).to.deep.equal([]);
  });

  it('is published again from Postgres if ClickHouse was restored to an earlier change', async () => {
    await change(1, 'gold');
    await published();
    await publisher.stop();
    await change(2, 'silver');
    // As in a backup from before the first change.
    await command('TRUNCATE TABLE agent_metadata_change_publication');
    await command('TRUNCATE TABLE agent_metadata_change');
    await command('SYSTEM RELOAD DICTIONARY agent_metadata_changes');
    expect(await tiers()).to.deep.equal(['', '', '']);
    publisher = stores.startPublisher();
    await published();
    expect(await tiers()).to.deep.equal(['gold', 'silver', '']);
    expect(await stores.differences()).to.deep.equal([]);
  });

  it('does not hide a later snapshot by a publisher that does not know it', async () => {
    await change(1, 'gold');
    await published();
    await publisher.stop();
    // As a publisher of 0.2 leaves it: a snapshot with all agents, recorded in both stores.
    const number = (await snapshotNumber()) + 100;
    const columns = `organisation_id, agent_key, valid_from, valid_to, agent_id, unit_id, kind`;
    await command(`INSERT INTO agent_metadata_period (publication, ${columns})
      SELECT ${number}, ${columns} FROM agent_metadata_current
      WHERE organisation_id = ${tenant.organisationId}`);
    await command(`INSERT INTO agent_metadata_publication (organisation_id, publication)
      VALUES (${tenant.organisationId}, ${number})`);
    await stores
      .database('snapshot_organisations')
      .where(ofTenant())
      .update({ publication: number });
    publisher = stores.startPublisher();
    await fold();
    await waitUntil(async () => (await stores.differences()).length === 0);
    expect(await hasChanges()).to.equal(false);
    expect(await tiers()).to.deep.equal(['gold', '', '']);
  });

  it('records from which moment on its version differs from the one before', async () => {
    const before = (await readMetadataVersions(stores.database, tenant.organisationId)).current;
    const atS = Math.floor(Date.now() / 1000) - 20 * 86_400;
    await change(1, 'gold', atS);
    await change(2, 'silver', atS + 5_000);
    // Before the period that the first change began: affected from the second date on.
    await change(1, 'bronze', atS + 9_000);
    await addAgent(stores.database, tenant.organisationId, { agentId: 'new', unitId: 9 });
    await published();
    const effects = await values(
      `SELECT concat(version, ' ', toUnixTimestamp(affected_from)) AS value
       FROM metadata_version_effect FINAL
       WHERE organisation_id = ${tenant.organisationId} AND version > ${before} ORDER BY version`,
    );
    expect(effects).to.deep.equal([
      `${before + 1} ${atS}`,
      `${before + 2} ${atS + 5_000}`,
      `${before + 3} ${atS + 9_000}`,
      // A new agent has a country and a kind at any time.
      `${before + 4} 0`,
    ]);
  });

  it('is part of a snapshot after `netpanel snapshot --full`', async () => {
    await change(1, 'gold');
    await published();
    const snapshot = await snapshotNumber();
    const full = await runBuilt('services/cli/netpanel.js', stores.env, [
      'snapshot',
      '--full',
      '--org',
      tenant.name,
    ]);
    expect(full.code, full.stderr).to.equal(0);
    expect(await snapshotNumber()).to.be.greaterThan(snapshot);
    expect(await hasChanges()).to.equal(false);
    expect(await tiersIn('agent_metadata_base')).to.deep.equal(['gold', '', '']);
  });

  function change(unitId: number, tier: string, backdateFromS?: number) {
    return changeMetadata(stores.database, tenant, {
      agent: { unit_id: unitId },
      metadata: { custom: { tier } },
      ...(backdateFromS !== undefined && { backdate_from: backdateFromS }),
    });
  }

  async function published(): Promise<void> {
    publisher.wake();
    await waitUntil(
      async () => (await stores.database('snapshot_outbox').first('id')) === undefined,
    );
  }

  /** The agents were added one by one: all but the first are changes. */
  async function snapshotOfAll(): Promise<void> {
    await stores.database('snapshot_outbox').insert(ofTenant());
    await published();
  }

  async function fold(): Promise<void> {
    await stores
      .database('snapshot_organisations')
      .where(ofTenant())
      .update({ changed_since: new Date(0) });
    publisher.wake();
    await waitUntil(
      async () =>
        (await stores
          .database('snapshot_organisations')
          .where(ofTenant())
          .where('changed_agents', '>', 0)
          .first()) === undefined,
    );
  }

  async function snapshotNumber(): Promise<number> {
    const row = await stores
      .database('snapshot_organisations')
      .where(ofTenant())
      .first<{ publication: number }>();
    return row.publication;
  }

  async function hasChanges(): Promise<boolean> {
    const [count] = await values(`SELECT count() AS value FROM dictionary('agent_metadata_changes')
      WHERE organisation_id = ${tenant.organisationId}`);
    return count !== '0';
  }

  function ofChanges(): string {
    return `FROM agent_metadata_change WHERE organisation_id = ${tenant.organisationId}`;
  }

  function ofTenant() {
    return { organisation_id: tenant.organisationId };
  }

  function tiers(): Promise<readonly string[]> {
    const rows = agentKeys.map(
      (key) =>
        `SELECT JSONExtractString(${publishedMetadata('custom_json', key, "now('UTC')")}, 'tier') AS value, ${key} AS key`,
    );
    return values(`SELECT value FROM (${rows.join(' UNION ALL ')}) ORDER BY key`);
  }

  function tiersIn(view: string): Promise<readonly string[]> {
    return values(`SELECT custom['tier'] AS value FROM ${view}
      WHERE organisation_id = ${tenant.organisationId} AND now('UTC') BETWEEN valid_from AND valid_to
      ORDER BY agent_key`);
  }

  async function command(query: string): Promise<void> {
    await stores.clickhouse.command({ query });
  }

  async function values(query: string): Promise<readonly string[]> {
    const result = await stores.clickhouse.query({ query, format: 'JSONEachRow' });
    return (await result.json<{ value: string | number }>()).map(({ value }) => String(value));
  }
});
