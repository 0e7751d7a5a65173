import { expect } from 'chai';
import * as publications from '../../../services/schema/postgres/migrations/008-publications.ts';
import * as rowSecurity from '../../../services/schema/postgres/migrations/016-row-security.ts';
import * as metadataVersions from '../../../services/schema/postgres/migrations/017-metadata-versions.ts';
import * as watchedFiles from '../../../services/schema/postgres/migrations/019-watched-files.ts';
import * as agentSets from '../../../services/schema/postgres/migrations/021-agent-sets.ts';
import * as changedAgents from '../../../services/schema/postgres/migrations/022-changed-agents.ts';
import * as ingestRequests from '../../../services/schema/postgres/migrations/023-ingest-requests.ts';
import * as savedViews from '../../../services/schema/postgres/migrations/024-saved-views.ts';
import { isolatedStores, type IsolatedStores } from '../../support/isolated-stores.ts';
import { addAgent, addPackages, newTenant, type Tenant } from '../../support/tenant.ts';

describe('the migration to one publication per organisation', () => {
  let stores: IsolatedStores;
  let ours: Tenant;
  let theirs: Tenant;
  before(async () => {
    stores = await isolatedStores();
    await savedViews.down(stores.database);
    await ingestRequests.down(stores.database);
    await changedAgents.down(stores.database);
    await agentSets.down(stores.database);
    await watchedFiles.down(stores.database);
    await metadataVersions.down(stores.database);
    await rowSecurity.down(stores.database);
    await publications.down(stores.database);
    ours = await newTenant(stores.database);
    theirs = await newTenant(stores.database);
    for (const { organisationId } of [ours, theirs]) {
      await addAgent(stores.database, organisationId, { agentId: 'box' });
      await addPackages(stores.database, organisationId, { Northwave: ['Fibre'] });
    }
    await publications.up(stores.database);
    await rowSecurity.up(stores.database);
    await metadataVersions.up(stores.database);
    await watchedFiles.up(stores.database);
    await agentSets.up(stores.database);
    await changedAgents.up(stores.database);
    await ingestRequests.up(stores.database);
    await savedViews.up(stores.database);
  });
  after(() => stores.close());

  it('makes every organisation with agents due once', async () => {
    expect(await due()).to.have.members([ours.organisationId, theirs.organisationId]);
  });

  it('accepts the changes of services of 0.1.0', async () => {
    const [change] = await stores
      .database('metadata_changes')
      .insert({ organisation_id: theirs.organisationId, request: '{}', agent_count: 1 })
      .returning<{ id: number }[]>('id');
    await stores.database('snapshot_outbox').del();
    await stores.database('snapshot_outbox').insert({ change_id: change!.id });
    expect(await due()).to.deep.equal([theirs.organisationId]);
  });

  it('makes only the organisation of a changed agent, ISP or package due', async () => {
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
