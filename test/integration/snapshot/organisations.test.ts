import { expect } from 'chai';
import {
  changeTables,
  snapshotTables,
} from '../../../services/metadata/snapshot/publication-tables.ts';
import { readSnapshotLines } from '../../../services/metadata/snapshot/snapshot-rows.ts';
import type { Snapshots } from '../../../services/metadata/snapshot/start-snapshots.ts';
import { changeMetadata } from '../../support/change-metadata.ts';
import { type IsolatedStores, isolatedStores } from '../../support/isolated-stores.ts';
import { publishedMetadata } from '../../support/published-metadata.ts';
import { addAgent, newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

describe('the metadata of two organisations', () => {
  let stores: IsolatedStores;
  let ours: Tenant;
  let theirs: Tenant;
  let publisher: Snapshots | undefined;

  beforeEach(async () => {
    stores = await isolatedStores();
    ours = await newTenant(stores.database);
    theirs = await newTenant(stores.database);
    for (const { organisationId } of [ours, theirs]) {
      await addAgent(stores.database, organisationId, { agentId: 'box', unitId: 1 });
    }
  });
  afterEach(async () => {
    await publisher?.stop();
    publisher = undefined;
    await stores.close();
  });

  it('is published for one while that of the other cannot be published', async () => {
    await refuseRowsOf(theirs);
    await change(theirs, 'refused');
    await change(ours, 'published');
    publisher = stores.startPublisher();
    await waitUntil(async () => (await tierOf(ours)) === 'published');
    await waitUntil(() => isFailing(theirs));
    const { lastError } = await publisher.dependency.check();
    expect(lastError).to.match(
      new RegExp(`^organisation ${theirs.organisationId}: .*refused`, 's'),
    );

    await change(ours, 'published again');
    publisher.wake();
    await waitUntil(async () => (await tierOf(ours)) === 'published again');
    expect(await isFailing(theirs)).to.equal(true);

    await acceptAllRows();
    await waitUntil(async () => (await tierOf(theirs)) === 'refused');
    await waitUntil(nothingWaits);
    expect(await stores.differences()).to.deep.equal([]);
    expect(await isFailing(theirs)).to.equal(false);
  });

  it('is read in chunks of at most 8 MiB, whatever its size', async () => {
    const { database } = stores;
    const [recorded] = await database('metadata_changes')
      .insert({ organisation_id: ours.organisationId, request: '{}', agent_count: 20 })
      .returning<{ id: number }[]>('id');
    // Written before there were limits.
    for (let i = 0; i < 20; i++) {
      const agentKey = await addAgent(database, ours.organisationId, { agentId: `large-${i}` });
      await database('agent_metadata').insert({
        agent_key: agentKey,
        organisation_id: ours.organisationId,
        valid: '(,)',
        custom: { note: 'x'.repeat(900_000) },
        recorded_at: new Date(),
        recorded_by: recorded!.id,
      });
    }
    const chunkBytes = await database.transaction(async (transaction) => {
      const bytes: number[] = [];
      const lines = readSnapshotLines(transaction, ours, 1);
      for await (const chunk of lines) bytes.push(Buffer.byteLength(chunk));
      return bytes;
    });
    expect(chunkBytes.reduce((sum, bytes) => sum + bytes, 0)).to.be.greaterThan(18_000_000);
    expect(Math.max(...chunkBytes)).to.be.lessThan(8 * 1024 * 1024);
  });

  function change(tenant: Tenant, tier: string) {
    const body = { agent: { unit_id: 1 }, metadata: { custom: { tier } } };
    return changeMetadata(stores.database, tenant, body);
  }

  async function refuseRowsOf({ organisationId }: Tenant): Promise<void> {
    for (const { rows } of [snapshotTables, changeTables]) {
      await stores.clickhouse.command({
        query: `ALTER TABLE ${rows} ADD CONSTRAINT refused CHECK organisation_id != ${organisationId}`,
      });
    }
  }

  async function acceptAllRows(): Promise<void> {
    for (const { rows } of [snapshotTables, changeTables]) {
      await stores.clickhouse.command({ query: `ALTER TABLE ${rows} DROP CONSTRAINT refused` });
    }
  }

  async function isFailing({ organisationId }: Tenant): Promise<boolean> {
    const { failingOrganisations } = await publisher!.dependency.check();
    return (failingOrganisations as readonly number[]).includes(organisationId);
  }

  async function nothingWaits(): Promise<boolean> {
    return (await stores.database('snapshot_outbox').first('id')) === undefined;
  }

  async function tierOf({ organisationId }: Tenant): Promise<string | undefined> {
    const agent = await stores
      .database('agents')
      .where({ organisation_id: organisationId })
      .first<{ id: number } | undefined>('id');
    const [row] = await queried<{ tier: string }>(
      `SELECT JSONExtractString(${publishedMetadata('custom_json', agent?.id ?? 0, "now('UTC')")}, 'tier') AS tier`,
    );
    return row?.tier;
  }

  async function queried<T>(query: string): Promise<T[]> {
    return (await stores.clickhouse.query({ query, format: 'JSONEachRow' })).json<T>();
  }
});
