import { expect } from 'chai';
import { daysAgo, type MetadataTenant, metadataTenant } from '../../support/metadata-tenant.ts';

interface Period {
  readonly from: string | null;
  readonly to: string | null;
  readonly package: string | null;
  readonly isp: string | null;
  readonly timezone: string | null;
  readonly custom: Readonly<Record<string, string | number>>;
}

const noMetadata = { package: null, isp: null, timezone: null, custom: {} };
const done = { status: 200, body: { code: 'OK', message: 'Metadata updated successfully' } };

describe('PUT /metadata', () => {
  let own: MetadataTenant;
  beforeEach(async () => (own = await metadataTenant(3)));

  const put = (body: object) => own.client.put(body);
  const now = async (path: string) => (await own.client.get(`/metadata/${path}`)).body.data;
  const history = async (unit: number) => {
    const { body } = await own.client.get(`/metadata/unit/${unit}/history`);
    return body.data as Period[];
  };

  it('returns 200 with a message and without data, and stores the metadata', async () => {
    const response = await put({
      agent: { unit_id: 1 },
      metadata: {
        package: 'Northwave:Fibre 500',
        timezone: 'Asia/Kathmandu',
        custom: { floor: 3, street: 'High St', ünïcode: '☃' },
      },
    });
    expect(response).to.deep.equal(done);
    expect(await now('unit/1')).to.deep.equal({
      package: 'Northwave:Fibre 500',
      isp: 'Northwave',
      timezone: 'Asia/Kathmandu',
      custom: { floor: 3, street: 'High St', ünïcode: '☃' },
    });
    expect(await now('unit/2')).to.deep.equal(noMetadata);
  });

  it('applies from 00:00 UTC today by default', async () => {
    await put({ agent: { unit_id: 1 }, metadata: { timezone: 'Europe/London' } });
    const [period, ...others] = await history(1);
    expect(others).to.deep.equal([]);
    expect(period!.from).to.equal(`${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`);
    expect(period!.to).to.equal(null);
  });

  it('accepts a date 28 days ago and the current second', async () => {
    const metadata = { timezone: 'Europe/London' };
    // A little less than 28 days, because the request takes time.
    for (const from of [daysAgo(28) + 30, daysAgo(0)]) {
      const body = { agent: { unit_id: 1 }, metadata, backdate_from: from };
      expect(await put(body)).to.deep.equal(done);
    }
  });

  it('takes a date up to a minute ahead as now', async () => {
    const body = { agent: { unit_id: 1 }, metadata: { timezone: 'Europe/London' } };
    expect(await put({ ...body, backdate_from: daysAgo(0) + 50 })).to.deep.equal(done);
    const [period] = await history(1);
    expect(Date.parse(period!.from ?? '')).to.be.at.most(Date.now());
  });

  it('removes a custom field whose value is null', async () => {
    const agent = { unit_id: 1 };
    await put({ agent, metadata: { custom: { floor: 3, street: 'High St' } } });
    expect(await put({ agent, metadata: { custom: { floor: null } } })).to.deep.equal(done);
    expect(await now('unit/1')).to.deep.equal({ ...noMetadata, custom: { street: 'High St' } });
    const replaced = { agent, metadata: { custom: { a: 1, street: null } }, overwrite_all: true };
    expect(await put(replaced)).to.deep.equal(done);
    expect(await now('unit/1')).to.deep.equal({ ...noMetadata, custom: { a: 1 } });
  });

  it('selects agents by any identifier, and by any spelling of a MAC address', async () => {
    const metadata = { custom: { seen: 1 } };
    await put({ agent: { agent_id: 'box-1' }, metadata });
    await put({ agent: { mac_address: '00-00-00-00-00-02' }, metadata });
    await put({ agent: { unit_id: 3, agent_id: 'box-3' }, metadata });
    for (const unit of [1, 2, 3]) {
      expect(await now(`unit/${unit}`)).to.deep.equal({ ...noMetadata, custom: { seen: 1 } });
    }
  });

  it('selects the agents that match all given fields', async () => {
    await put({
      agent: { unit_id: 1 },
      metadata: { package: 'Northwave:Fibre 500', timezone: 'Europe/London', custom: { n: 5 } },
    });
    await put({
      agent: { unit_id: 2 },
      metadata: { package: 'Northwave:Fibre 500', timezone: 'Europe/London', custom: { n: '5' } },
    });
    await put({
      agent: { unit_id: 3 },
      metadata: { package: 'Northwave:', timezone: 'Europe/London', custom: { n: 6 } },
    });

    await put({ agent: { isp: 'Northwave' }, metadata: { custom: { isp: 'yes' } } });
    await put({ agent: { package: 'Northwave:Fibre 500' }, metadata: { custom: { pkg: 'yes' } } });
    await put({
      agent: { timezone: 'Europe/London', isp: 'Northwave', custom: { n: 5 } },
      metadata: { custom: { all: 'yes' } },
    });
    const custom = async (unit: number) => ((await now(`unit/${unit}`)) as Period).custom;
    expect(await custom(1)).to.deep.equal({ n: 5, isp: 'yes', pkg: 'yes', all: 'yes' });
    // Custom values are compared as text, as in the filters of queries.
    expect(await custom(2)).to.deep.equal({ n: '5', isp: 'yes', pkg: 'yes', all: 'yes' });
    expect(await custom(3)).to.deep.equal({ n: 6, isp: 'yes' });
  });

  it('sets the ISP and removes the package for `<isp>:`', async () => {
    await put({ agent: { unit_id: 1 }, metadata: { package: 'Northwave:Fibre 500' } });
    await put({ agent: { unit_id: 1 }, metadata: { package: 'Breeze:' } });
    expect(await now('unit/1')).to.deep.equal({ ...noMetadata, isp: 'Breeze' });
  });

  it('resolves names that contain a colon', async () => {
    await put({ agent: { unit_id: 1 }, metadata: { package: 'North:wave:Fast:er' } });
    expect(await now('unit/1')).to.deep.equal({
      ...noMetadata,
      isp: 'North:wave',
      package: 'North:wave:Fast:er',
    });
    await put({ agent: { package: 'North:wave:Fast:er' }, metadata: { package: 'North:wave:' } });
    expect(await now('unit/1')).to.deep.equal({ ...noMetadata, isp: 'North:wave' });
  });

  it('changes only the given fields; custom fields are merged and keep their type', async () => {
    const agent = { unit_id: 1 };
    await put({ agent, metadata: { timezone: 'Europe/London', custom: { a: 1, b: 'x' } } });
    await put({ agent, metadata: { package: 'Breeze:Mobile', custom: { b: 2.5, c: '3' } } });
    expect(await now('unit/1')).to.deep.equal({
      package: 'Breeze:Mobile',
      isp: 'Breeze',
      timezone: 'Europe/London',
      custom: { a: 1, b: 2.5, c: '3' },
    });
  });

  it('removes all other fields with overwrite_all', async () => {
    const agent = { unit_id: 1 };
    const metadata = { package: 'Breeze:Mobile', timezone: 'Europe/London', custom: { a: 1 } };
    await put({ agent, metadata });
    await put({ agent, metadata: { custom: { b: 2 } }, overwrite_all: true });
    expect(await now('unit/1')).to.deep.equal({ ...noMetadata, custom: { b: 2 } });
    await put({ agent, metadata: {}, overwrite_all: true });
    expect(await now('unit/1')).to.deep.equal(noMetadata);
  });

  it('keeps the other fields of each period in a backdated change', async () => {
    const agent = { unit_id: 1 };
    const [monthAgo, tenDaysAgo, fiveDaysAgo] = [daysAgo(27), daysAgo(10), daysAgo(5)];
    const iso = (seconds: number) => new Date(seconds * 1000).toISOString();
    await put({
      agent,
      metadata: { package: 'Northwave:Fibre 100', timezone: 'Europe/London', custom: { a: 1 } },
      backdate_from: monthAgo,
    });
    await put({
      agent,
      metadata: { package: 'Northwave:Fibre 500' },
      backdate_from: fiveDaysAgo,
    });
    await put({
      agent,
      metadata: { timezone: 'Asia/Tokyo', custom: { b: 2 } },
      backdate_from: tenDaysAgo,
    });
    const periods = (await history(1)).map(({ from, to, package: name, timezone, custom }) => [
      from,
      to,
      name,
      timezone,
      custom,
    ]);
    expect(periods).to.deep.equal([
      [iso(fiveDaysAgo), null, 'Northwave:Fibre 500', 'Asia/Tokyo', { a: 1, b: 2 }],
      [iso(tenDaysAgo), iso(fiveDaysAgo), 'Northwave:Fibre 100', 'Asia/Tokyo', { a: 1, b: 2 }],
      [iso(monthAgo), iso(tenDaysAgo), 'Northwave:Fibre 100', 'Europe/London', { a: 1 }],
    ]);
  });

  it('merges periods that became equal', async () => {
    const agent = { unit_id: 1 };
    await put({ agent, metadata: { timezone: 'Europe/London' }, backdate_from: daysAgo(20) });
    await put({ agent, metadata: { timezone: 'Asia/Tokyo' }, backdate_from: daysAgo(10) });
    await put({ agent, metadata: { timezone: 'Asia/Kolkata' }, backdate_from: daysAgo(25) });
    expect(await history(1)).to.have.lengthOf(1);
  });

  it('records nothing if nothing changes', async () => {
    const { database, tenant } = own;
    const body = { agent: { unit_id: 1 }, metadata: { timezone: 'Europe/London' } };
    const recorded = () =>
      database('metadata_changes').where({ organisation_id: tenant.organisationId }).count();
    await put(body);
    const before = [await history(1), await recorded()];
    expect(await put(body)).to.deep.equal(done);
    expect(await put({ agent: { unit_id: 1 }, metadata: {} })).to.deep.equal(done);
    expect([await history(1), await recorded()]).to.deep.equal(before);
  });

  it('keeps replaced periods on record, with the token that replaced them', async () => {
    const { database, tenant, agentKeys } = own;
    const agent = { unit_id: 1 };
    await put({ agent, metadata: { timezone: 'Europe/London' }, backdate_from: daysAgo(3) });
    await put({ agent, metadata: { timezone: 'Asia/Tokyo' }, backdate_from: daysAgo(5) });
    const rows = await database('agent_metadata as m')
      .join('metadata_changes as c', 'c.id', 'm.superseded_by')
      .join('api_tokens as t', 't.id', 'c.token_id')
      .where({ 'm.agent_key': agentKeys[0] })
      .select<
        { timezone: string; organisation_id: number; agent_count: number; request: object }[]
      >('m.timezone', 't.organisation_id', 'c.agent_count', 'c.request');
    expect(rows.map(({ timezone }) => timezone)).to.deep.equal(['Europe/London']);
    expect(rows[0]!.organisation_id).to.equal(tenant.organisationId);
    expect(rows[0]!.agent_count).to.equal(1);
    expect(rows[0]!.request).to.have.deep.property('metadata', { timezone: 'Asia/Tokyo' });
  });
});
