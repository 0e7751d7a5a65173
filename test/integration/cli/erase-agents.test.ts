import { expect } from 'chai';
import { findErasure } from '../../../services/metadata/erasure/erasure-ledger.ts';
import type { Snapshots } from '../../../services/metadata/snapshot/start-snapshots.ts';
import { erasureTools, untilErased } from '../../support/erase-household.ts';
import { addHousehold } from '../../support/household.ts';
import { type IsolatedStores, isolatedStores } from '../../support/isolated-stores.ts';
import { runNetpanel } from '../../support/netpanel.ts';
import { newTenant, type Tenant } from '../../support/tenant.ts';

interface Printed {
  readonly id: string;
  readonly state: string;
  readonly report: object;
}

describe('netpanel agents erase', () => {
  let stores: IsolatedStores;
  let publisher: Snapshots;
  let tenant: Tenant;

  before(async () => {
    stores = await isolatedStores();
    publisher = stores.startPublisher();
    tenant = await newTenant(stores.database);
    for (const i of [1, 2]) {
      const macAddress = `02:5E:A1:90:0F:0${i}`;
      await addHousehold(stores, tenant, { agentId: `cli-${i}`, unitId: 300_000 + i, macAddress });
    }
  });
  after(async () => {
    await publisher.stop();
    await stores.close();
  });

  it('prints what would be removed, and removes nothing without --yes', async () => {
    const dryRun = await erase('--dry-run', '--json', 'cli-1', 'cli-2');
    expect(dryRun.code, dryRun.stderr).to.equal(0);
    const [{ wouldRemove }] = JSON.parse(dryRun.stdout) as [
      { wouldRemove: Record<string, number> },
    ];
    expect(wouldRemove).to.include({ agents: 2, test_httpget: 2, last_rows_httpget: 2 });
    const unconfirmed = await erase('cli-1');
    expect(unconfirmed.code).to.equal(2);
    expect(unconfirmed.stdout).to.include('test_httpget: 1');
    expect(unconfirmed.stderr).to.include('needs --yes');
    expect(await stores.database('erasures').first()).to.equal(undefined);
    expect(await stores.database('agents').pluck('agent_id')).to.have.members(['cli-1', 'cli-2']);
  });

  it('erases nothing when one of the ids is unknown', async () => {
    const { code, stderr } = await erase('--yes', 'cli-1', 'cli-3');
    expect(code).to.equal(1);
    expect(stderr).to.include('Nothing was removed: the organisation does not have cli-3');
    expect(await stores.database('erasures').first()).to.equal(undefined);
  });

  it('erases several agents in one erasure, and prints the same report again', async () => {
    const macs = ['025ea1900f01', '02-5E-A1-90-0F-02'];
    const started = await erase('--yes', '--no-wait', '--json', '--by', 'mac', ...macs);
    expect(started.code, started.stderr).to.equal(0);
    const [{ id, state }] = JSON.parse(started.stdout) as [Printed];
    expect(state).to.equal('running');
    await untilErased(erasureTools(stores), id);
    const again = await erase('--yes', '--json', 'cli-1', 'cli-2');
    expect(again.code, again.stderr).to.equal(0);
    const [printed, ...more] = JSON.parse(again.stdout) as Printed[];
    expect(more).to.deep.equal([]);
    expect(printed).to.include({ id, state: 'done' });
    expect(printed!.report).to.deep.equal((await findErasure(stores.database, id))!.report);
    expect(await stores.database('agents').first()).to.equal(undefined);
  });

  function erase(...args: string[]) {
    const command = ['agents', 'erase', '--org', tenant.name, ...args];
    return runNetpanel(stores.env, command);
  }
});
