import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { AgentDirectory } from '../../../services/results/agents/agent-directory.ts';
import { requestErasure } from '../../../services/metadata/erasure/request-erasure.ts';
import { findErasure } from '../../../services/metadata/erasure/erasure-ledger.ts';
import { erasureTools, requestAgentErasure } from '../../support/erase-household.ts';
import { type IsolatedStores, isolatedStores } from '../../support/isolated-stores.ts';
import { runNetpanel } from '../../support/netpanel.ts';
import { addAgent, newTenant, type Tenant } from '../../support/tenant.ts';
import { removeFromRegistry } from '../../../services/metadata/erasure/steps/count-stored.ts';

const household = { agentId: 'box-9', unitId: 900_009, macAddress: '02:5E:A1:90:0E:09' };

describe('an erased agent', () => {
  let stores: IsolatedStores;
  let tenant: Tenant;
  let folder: string;

  before(async () => {
    stores = await isolatedStores();
    folder = mkdtempSync(join(tmpdir(), 'netpanel-erased-'));
  });
  beforeEach(async () => {
    tenant = await newTenant(stores.database);
    await addAgent(stores.database, tenant.organisationId, household);
    const id = await requestAgentErasure(stores.database, tenant, household.agentId);
    await removeFromRegistry(erasureTools(stores), (await findErasure(stores.database, id))!);
  });
  after(async () => {
    await stores.close();
    rmSync(folder, { recursive: true, force: true });
  });

  for (const [what, header, row] of [
    ['agent id', 'agent_id,timezone', 'box-9,Europe/London'],
    ['unit', 'unit_id,timezone', '900009,Europe/London'],
    ['MAC address', 'agent_id,mac_address', 'box-10,025e.a190.0e09'],
  ] as const) {
    it(`cannot be imported again by its ${what}`, async () => {
      const { code, stderr } = await netpanel('agents', 'import', '--no-wait', file(header, row));
      expect(code).to.equal(1);
      expect(stderr).to.match(/was erased on \d{4}-\d\d-\d\d: netpanel agents allow lifts this/);
      expect(await agentCount()).to.equal(0);
    });
  }

  it('cannot be registered again by loading its results, which are rejected with the reason', async () => {
    const path = file(
      'unit_id,dtime,bytes_sec',
      '900009,2026-01-10 10:00:00,1',
      '7,2026-01-10 10:00:00,1',
    );
    const { code, stdout, stderr } = await netpanel('load', '--test', 'httpget', '--no-wait', path);
    expect(code, stderr).to.equal(0);
    expect(stdout).to.match(/1 rows loaded, 1 rejected \(.*\), 1 agents registered/);
    expect(readFileSync(`${path}.rejects.csv`, 'utf8')).to.match(
      /unit 900009 was erased on \d{4}-\d\d-\d\d: netpanel agents allow lifts this/,
    );
    expect(await agentCount()).to.equal(1);
  });

  it('is unknown to a load that began before its erasure', async () => {
    const { database } = stores;
    const { organisationId } = await newTenant(database);
    await addAgent(database, organisationId, household);
    const agents = new AgentDirectory({
      inDatabase: (work) => work(database),
      organisationId,
      kind: 'whitebox',
      constants: [],
      separator: ',',
      fileHas: { unitId: true, base: true },
    });
    await agents.readAll();
    const unit = Buffer.from('900009');
    const number = agents.unitNumber(unit, 0, unit.length)!;
    expect(agents.prefix(number)).not.to.equal(undefined);
    await requestErasure(database, {
      organisationId,
      tokenId: null,
      field: 'unit',
      values: ['900009'],
    });
    await agents.forgetErased();
    expect(agents.prefix(number)).to.equal(undefined);
    expect(agents.erasedReason(number)).to.match(/^agent box-9 was erased on /);
  });

  it('cannot be added in psql, nor can another agent take its identifiers', async () => {
    const { database } = stores;
    const refused = (work: Promise<unknown>) =>
      work.then(
        () => 'accepted',
        (error: unknown) => (error as Error).message,
      );
    expect(await refused(addAgent(database, tenant.organisationId, household))).to.include(
      'agent box-9 was erased: netpanel agents allow lifts this',
    );
    const key = await addAgent(database, tenant.organisationId, { agentId: 'other', unitId: 5 });
    const update = (change: object) => database('agents').where({ id: key }).update(change);
    expect(await refused(update({ unit_id: 900_009 }))).to.include('was erased');
    expect(await refused(update({ mac_address: '02-5e-a1-90-0e-09' }))).to.include('was erased');
    expect(await refused(update({ unit_id: 6 }))).to.equal('accepted');
  });

  it('can be added again after netpanel agents allow, and by another organisation at once', async () => {
    const { database } = stores;
    await addAgent(database, (await newTenant(database)).organisationId, household);
    const ids = ['box-9', '900009', '02:5e:a1:90:0e:09'];
    const allowed = await netpanel('agents', 'allow', ...ids);
    expect(allowed.stdout).to.equal(ids.map((id) => `${id} can be added again\n`).join(''));
    expect((await netpanel('agents', 'allow', 'box-9')).code).to.equal(1);
    await addAgent(database, tenant.organisationId, household);
  });

  it('is found by a repeated request as the same erasure', async () => {
    const request = { organisationId: tenant.organisationId, tokenId: null };
    const byUnit = { ...request, field: 'unit', values: ['900009'] } as const;
    const byAgent = { ...request, field: 'agent', values: ['box-9'] } as const;
    const { ids } = await requestErasure(stores.database, byUnit);
    expect(ids).to.have.length(1);
    expect(await requestErasure(stores.database, byAgent)).to.deep.equal({ ids, unknown: [] });
  });

  it('leaves only keyed hashes: the same id has other hashes in other organisations', async () => {
    const other = await newTenant(stores.database);
    await addAgent(stores.database, other.organisationId, household);
    await requestAgentErasure(stores.database, other, household.agentId);
    const hashesOf = ({ organisationId }: Tenant) =>
      stores.database('erased_ids').where({ organisation_id: organisationId }).pluck('hash');
    const [own, others] = [await hashesOf(tenant), await hashesOf(other)] as [Buffer[], Buffer[]];
    expect(own).to.have.length(3);
    expect(others).to.have.length(3);
    const hex = (hash: Buffer) => hash.toString('hex');
    expect(own.map(hex)).not.to.include.any.members(others.map(hex));
  });

  function file(...lines: string[]): string {
    const path = join(folder, `${tenant.name}.csv`);
    writeFileSync(path, `${lines.join('\n')}\n`);
    return path;
  }

  function netpanel(command: string, ...args: string[]) {
    const [subcommand = '', ...rest] = command === 'agents' ? args : ['', ...args];
    return runNetpanel(stores.env, [
      command,
      ...(subcommand === '' ? [] : [subcommand]),
      '--org',
      tenant.name,
      ...rest,
    ]);
  }

  async function agentCount(): Promise<number> {
    const rows = await stores
      .database('agents')
      .where({ organisation_id: tenant.organisationId })
      .select('id');
    return rows.length;
  }
});
