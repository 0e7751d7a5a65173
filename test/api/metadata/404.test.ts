import { expect } from 'chai';
import { type MetadataTenant, metadataTenant } from '../../support/metadata-tenant.ts';
import { addAgent, addPackages } from '../../support/tenant.ts';

const notFound = { status: 404, body: { code: 'NOT_FOUND', message: 'Not found' } };

describe('the metadata interface returns 404', () => {
  let own: MetadataTenant;
  before(async () => (own = await metadataTenant(1)));

  it('when no agent matches a change', async () => {
    const selectors = [
      { agent_id: 'box-2' },
      { unit_id: -1 },
      { mac_address: 'ff' },
      { isp: 'Northwave' },
      { isp: 'Nobody' },
      { package: 'Northwave:Fibre 500' },
      { package: 'Nobody:Fibre 500' },
      { timezone: 'Europe/Atlantis' },
      { custom: { a: 1 } },
      { unit_id: 1, agent_id: 'box-2' },
    ];
    for (const agent of selectors) {
      const response = await own.client.put({ agent, metadata: { timezone: 'Europe/London' } });
      expect(response, JSON.stringify(agent)).to.deep.equal(notFound);
    }
  });

  it('for an agent, unit or MAC address that does not exist', async () => {
    for (const path of ['agent/box2', 'unit/2', 'mac/ff', 'unit/99999999999999999999']) {
      expect(await own.client.get(`/metadata/${path}`)).to.deep.equal(notFound);
      expect(await own.client.get(`/metadata/${path}/history`)).to.deep.equal(notFound);
    }
  });

  it('for an id that another agent has with other punctuation, case or letters', async () => {
    const { database, tenant, client } = await metadataTenant(0);
    for (const agentId of ['site1-11', 'агент-7', '日本', 'up-1', 'UP_1']) {
      await addAgent(database, tenant.organisationId, { agentId });
    }
    const metadata = { timezone: 'Europe/London' };
    for (const other of ['site11-1', 'SITE1-11', 'прибор-7', '---', '%00', '国', 'up1', '7']) {
      const response = await client.get(`/metadata/agent/${encodeURI(other).replace('%25', '%')}`);
      expect(response, other).to.deep.equal(notFound);
      if (other === '%00') continue;
      expect(await client.put({ agent: { agent_id: other }, metadata }), other).to.deep.equal(
        notFound,
      );
    }
    expect((await client.put({ agent: { agent_id: 'site111' }, metadata })).status).to.equal(404);
    expect((await client.get('/metadata/agent/site111')).status).to.equal(200);
  });

  it('for a field that is not agent, unit or mac', async () => {
    expect(await own.client.get('/metadata/serial/1')).to.deep.equal(notFound);
  });
});

describe("another organisation's token", () => {
  it("finds and changes nothing of another organisation's on any route", async () => {
    const ours = await metadataTenant(1);
    const theirs = await metadataTenant(0);
    await addPackages(ours.database, ours.tenant.organisationId, { Secret: ['Plan'] });
    const metadata = { package: 'Secret:Plan', custom: { ours: 1 } };
    await ours.client.put({ agent: { unit_id: 1 }, metadata });

    for (const path of ['agent/box1', 'unit/1', 'mac/000000000001']) {
      expect(await theirs.client.get(`/metadata/${path}`)).to.deep.equal(notFound);
      expect(await theirs.client.get(`/metadata/${path}/history`)).to.deep.equal(notFound);
    }
    const change = { timezone: 'Europe/London' };
    for (const agent of [
      { unit_id: 1 },
      { agent_id: 'box-1' },
      { isp: 'Secret' },
      { package: 'Secret:Plan' },
      { custom: { ours: 1 } },
    ]) {
      expect(await theirs.client.put({ agent, metadata: change })).to.deep.equal(notFound);
    }
    const { body } = await theirs.client.put({ agent: { unit_id: 1 }, metadata });
    expect(body.errors).to.deep.equal({
      'metadata[package]': [
        'Unable to resolve new package Secret:Plan. (Invalid Isp name in new package)',
      ],
    });
    expect((await ours.client.get('/metadata/unit/1')).body.data).to.deep.equal({
      ...metadata,
      isp: 'Secret',
      timezone: null,
    });
  });
});
