import { expect } from 'chai';
import { isolatedStores, type IsolatedStores } from '../../support/isolated-stores.ts';
import { addAgent, addPackages, newTenant, type Tenant } from '../../support/tenant.ts';

describe('a change of published data in Postgres', () => {
  let stores: IsolatedStores;
  let ours: Tenant;
  before(async () => {
    stores = await isolatedStores();
    ours = await newTenant(stores.database);
    for (const { organisationId } of [ours, await newTenant(stores.database)]) {
      await addAgent(stores.database, organisationId, { agentId: 'box' });
      await addPackages(stores.database, organisationId, { Northwave: ['Fibre'] });
    }
  });
  after(() => stores.close());

  it('makes only the organisation of the changed agent, ISP or package due', async () => {
    const { database } = stores;
    const { organisationId } = ours;
    const ofOurs = { organisation_id: organisationId };
    const isps = database('isps').where(ofOurs).select('id');
    for (const changeRows of [
      () => addAgent(database, organisationId, { agentId: 'new' }),
      () => database('agents').where(ofOurs).update({ base: 'WB9' }),
      () =>
        database('agents')
          .where({ ...ofOurs, agent_id: 'new' })
          .del(),
      () => database('isps').where(ofOurs).update({ name: 'Renamed' }),
      () => database('packages').whereIn('isp_id', isps).update({ name: 'Renamed' }),
    ]) {
      await database('snapshot_outbox').del();
      await changeRows();
      expect(await due()).to.deep.equal([organisationId]);
    }
  });

  function due(): Promise<readonly number[]> {
    return stores.database('snapshot_outbox').pluck<number[]>('organisation_id');
  }
});
