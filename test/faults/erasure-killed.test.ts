import { expect } from 'chai';
import { erasureSteps } from '../../services/metadata/erasure/erasure.ts';
import { findErasure } from '../../services/metadata/erasure/erasure-ledger.ts';
import type { Snapshots } from '../../services/metadata/snapshot/start-snapshots.ts';
import { addExportRow } from '../support/add-export-row.ts';
import { erasureTools, requestAgentErasure, untilErased } from '../support/erase-household.ts';
import { addHousehold } from '../support/household.ts';
import { type IsolatedStores, isolatedStores } from '../support/isolated-stores.ts';
import { runBuilt } from '../support/run-built.ts';
import { tablesWith } from '../support/stored-text.ts';
import { newTenant, type Tenant } from '../support/tenant.ts';

const household = { agentId: 'Wb-Killed-5T', unitId: 718_273_646, macAddress: '02:5E:A1:90:0D:01' };

describe('an erasure whose process is killed after each step', () => {
  let stores: IsolatedStores;
  let publisher: Snapshots;
  let tenant: Tenant;

  before(async () => {
    stores = await isolatedStores();
    publisher = stores.startPublisher();
    tenant = await newTenant(stores.database);
  });
  after(async () => {
    await publisher.stop();
    await stores.close();
  });

  it('is completed by the next process, with a complete report', async () => {
    await addHousehold(stores, tenant, household);
    const exportId = await addExportRow(stores.database, tenant, {
      status: 'done',
      store: 'folder:/somewhere',
      request: JSON.stringify({ unit: household.unitId }),
      lost_at: new Date(),
      expires_at: new Date(Date.now() + 86_400_000),
    });
    const id = await requestAgentErasure(stores.database, tenant, household.agentId);
    for (const [i, step] of erasureSteps.entries()) {
      if (step === 'files') await sweep(exportId);
      const { code, stderr } = await runBuilt('test/faults/erase-until-killed.js', stores.env, [
        id,
        step,
      ]);
      expect(code, stderr).to.equal(null);
      const killed = await findErasure(stores.database, id);
      expect(killed?.stepsDone).to.deep.equal(erasureSteps.slice(0, i));
      expect(killed?.endedAt).to.equal(null);
    }

    const { report, stepsDone, identifiers } = await untilErased(erasureTools(stores), id);
    expect(stepsDone).to.deep.equal(erasureSteps);
    expect(identifiers).to.equal(null);
    expect(report.removed).to.include({ agents: 1, test_httpget: 1, last_rows_httpget: 1 });
    expect(report.removed.agent_metadata).to.equal(3);
    expect(report.redacted).to.include({ metadata_changes: 3, exports: 1 });
    expect(report.exports).to.equal(1);
    const texts = [household.agentId, String(household.unitId), household.macAddress];
    expect(await tablesWith(stores, texts)).to.deep.equal([]);
  });

  /** As the query service does when it has deleted the file. */
  async function sweep(exportId: string): Promise<void> {
    await stores
      .database('exports')
      .where({ id: exportId })
      .update({ swept_at: stores.database.fn.now() });
  }
});
