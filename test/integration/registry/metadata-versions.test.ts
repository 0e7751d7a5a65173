import { expect } from 'chai';
import { importAgents } from '../../../services/metadata/history/import-agents.ts';
import { type AgentRecord, emptyRecord } from '../../../services/registry/agents/agent-record.ts';
import { registerAgents } from '../../../services/registry/agents/agents.ts';
import { customLimitSettings } from '../../../services/registry/organisations/custom-limits.ts';
import { readMetadataVersions } from '../../../services/registry/versions/metadata-versions.ts';
import { readSettings } from '../../../services/shared/config/read-settings.ts';
import { changeMetadata } from '../../support/change-metadata.ts';
import { type IsolatedStores, isolatedStores } from '../../support/isolated-stores.ts';
import { addAgent, addPackages, newTenant, type Tenant } from '../../support/tenant.ts';

describe("the version of an organisation's metadata", () => {
  let stores: IsolatedStores;
  let tenant: Tenant;
  before(async () => {
    stores = await isolatedStores();
  });
  beforeEach(async () => {
    tenant = await newTenant(stores.database);
  });
  after(() => stores.close());

  const current = async () =>
    (await readMetadataVersions(stores.database, tenant.organisationId)).current;
  const importUnits = (units: readonly number[], isp: string) =>
    importAgents(stores.database, {
      organisationId: tenant.organisationId,
      records: units.map((unitId): AgentRecord => ({ ...emptyRecord, unitId, isp })),
      validFromUtc: null,
      source: 'test',
      limits: readSettings(customLimitSettings, {}),
    });

  it('rises with new agents, imports, changes and renamed ISPs, and with nothing else', async () => {
    const { database } = stores;
    const { organisationId } = tenant;
    const seen = [await current()];
    const does = async (work: () => Promise<unknown>) => {
      await work();
      seen.push(await current());
    };
    await does(() => addPackages(database, organisationId, { Breeze: ['Mobile'] }));
    expect(seen).to.deep.equal([0, 0]);
    await does(() => addAgent(database, organisationId, { agentId: 'a', unitId: 1 }));
    await does(() => importUnits([1], 'Breeze'));
    await does(() =>
      changeMetadata(database, tenant, { agent: { unit_id: 1 }, metadata: { custom: { k: 1 } } }),
    );
    await does(() =>
      database('isps').where({ organisation_id: organisationId }).update('name', 'B'),
    );
    expect(seen).to.deep.equal([0, 0, 1, 2, 3, 4]);
    await does(() => importUnits([1], 'B'));
    await does(() =>
      changeMetadata(database, tenant, { agent: { unit_id: 1 }, metadata: { custom: { k: 1 } } }),
    );
    expect(seen.slice(-2)).to.deep.equal([4, 4]);
  });

  it('of a change that was rolled back is used for the next change', async () => {
    const { database } = stores;
    await database
      .transaction(async (transaction) => {
        await addAgent(transaction, tenant.organisationId, { agentId: 'lost' });
        throw new Error('rolled back');
      })
      .catch(() => undefined);
    expect(await current()).to.equal(0);
    await addAgent(database, tenant.organisationId, { agentId: 'kept' });
    expect(await current()).to.equal(1);
  });

  it('has no gap and no deadlock when loads and imports add the same agents at once', async () => {
    const units = Array.from({ length: 200 }, (_, i) => i + 1);
    const { organisationId } = tenant;
    await Promise.all(
      Array.from({ length: 4 }, async (_, round) => {
        const inOrder = round % 2 === 0 ? units : units.toReversed();
        const agents = inOrder.map((unit) => ({ agent_id: String(unit), unit_id: unit }));
        await registerAgents(stores.database, organisationId, 'whitebox', agents);
        await importUnits(inOrder, `ISP ${round}`);
      }),
    );
    const versions = await stores
      .database('snapshot_outbox')
      .where({ organisation_id: organisationId })
      .orderBy('version')
      .pluck<number[]>('version');
    expect(versions).to.deep.equal(versions.map((_, i) => i + 1));
    expect(await current()).to.equal(versions.length);
  });
});
