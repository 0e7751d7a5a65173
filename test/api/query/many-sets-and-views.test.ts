import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { localStack } from '../../support/local-stack.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { addAgent, newTenant, type Tenant } from '../../support/tenant.ts';

const setCount = 3_000;
const maxViews = 200;
const setName = (i: number) => `set ${String(i).padStart(5, '0')}`;

const stack = await localStack();

describe('an organisation with thousands of sets', () => {
  let api: DataApi;

  before(async () => {
    const tenant = await newTenant(stack.database);
    const { organisationId } = tenant;
    api = new DataApi(stack.queryUrl, tenant.dataToken);
    const keys = [];
    for (const unitId of [1, 2]) {
      const agentId = `box-${unitId}`;
      const agentKey = await addAgent(stack.database, organisationId, { agentId, unitId });
      keys.push(agentKey);
      await addDownloads(stack.clickhouse, organisationId, [
        { agentKey, agentId, dtime: '2026-01-02 10:00:00', mbps: 10 * unitId },
      ]);
    }
    // As netpanel sets add writes them: even sets have the first agent, odd ones the second.
    const copies = `SELECT ${organisationId} AS organisation_id, generateUUIDv4() AS copy, number AS n
      FROM numbers(${setCount})`;
    await stack.clickhouse.command({
      query: `CREATE TABLE many_sets_${organisationId} ENGINE = Memory AS ${copies}`,
    });
    await stack.clickhouse.command({
      query: `INSERT INTO agent_set_member (organisation_id, copy, agent_key)
        SELECT organisation_id, copy, [${keys.join()}][n % 2 + 1] FROM many_sets_${organisationId}`,
    });
    await stack.clickhouse.command({
      query: `INSERT INTO agent_set_copy (organisation_id, name, copy, member_count, is_removed)
        SELECT organisation_id, concat('set ', leftPad(toString(n), 5, '0')), copy, 1, 0
        FROM many_sets_${organisationId}`,
    });
    await stack.clickhouse.command({ query: `DROP TABLE many_sets_${organisationId}` });
  });

  it('lists them in pages, each once and in order', async () => {
    const names: string[] = [];
    let after: string | undefined;
    do {
      const parameters = new URLSearchParams({ limit: '1000', ...(after && { after }) });
      const { status, body } = await api.get(`/filters/set/values?${parameters.toString()}`);
      expect(status).to.equal(200);
      const values = body.data as readonly string[];
      expect(values.length).to.be.at.most(1_000);
      names.push(...values);
      after = values.at(-1);
    } while (after !== undefined && names.length <= setCount);
    expect(names).to.deep.equal(Array.from({ length: setCount }, (_, i) => setName(i)));
  });

  it('filters by one and by many of them', async () => {
    expect(await speedOf([setName(2_998)])).to.equal(10);
    expect(await speedOf([setName(2_999)])).to.equal(20);
    expect(await speedOf(Array.from({ length: 200 }, (_, i) => setName(i)))).to.equal(15);
  });

  it('names a similar set in the error for an unknown one, not all of them', async () => {
    const { status, body } = await query(['set 0299']);
    expect(status).to.equal(422);
    expect(JSON.stringify(body.errors).length).to.be.below(2_000);
  });

  async function speedOf(sets: readonly string[]): Promise<unknown> {
    const { status, body } = await query(sets);
    expect(status, JSON.stringify(body)).to.equal(200);
    const [{ metricData }] = body.data as [{ metricData: { metricValue: number }[] }];
    return metricData[0]?.metricValue;
  }

  function query(filterValues: readonly string[]) {
    return api.post('/metric_data', {
      ...plainRequest,
      aggregation: 'total',
      filters: [{ id: 'set', filterType: 'include', filterValues }],
      time: { from: '2026-01-01', to: '2026-01-03' },
    });
  }
});

describe('organisations with as many saved views as they may have', () => {
  let tenants: readonly Tenant[];

  before(async () => {
    const all: Tenant[] = [];
    for (let i = 0; i < 10; i++) all.push(await newTenant(stack.database));
    tenants = all;
    for (const { organisationId } of tenants) {
      await stack.database.raw(
        `insert into saved_views (organisation_id, token_id, name, state, min_agents)
         select :organisationId, (select min(id) from api_tokens where organisation_id = :organisationId),
                'view ' || lpad(n::text, 3, '0'), 'split=isp', 0
         from generate_series(1, :views) as n`,
        { organisationId, views: maxViews - 1 },
      );
    }
  });

  it('save one more up to the maximum, list their own, and may delete and save again', async () => {
    for (const { dataToken } of tenants.slice(0, 3)) {
      const api = new DataApi(stack.queryUrl, dataToken);
      const last = { name: 'zz last', state: 'split=isp' };
      expect((await api.post('/views', last)).status).to.equal(200);
      const refused = await api.post('/views', { ...last, name: 'zz one more' });
      expect(refused.status).to.equal(422);
      expect(refused.body.errors).to.deep.equal({
        name: [`Your organisation has ${maxViews} views, the maximum. Delete one first.`],
      });
      const listed = (await api.get('/views')).body.data as { id: string; name: string }[];
      expect(listed).to.have.length(maxViews);
      expect(listed.map(({ name }) => name)).to.deep.equal(
        listed.map(({ name }) => name).toSorted(),
      );
      await api.send('DELETE', `/views/${listed[0]!.id}`, {});
      expect((await api.post('/views', { ...last, name: 'zz one more' })).status).to.equal(200);
    }
  });

  it('pass the maximum by no number of concurrent requests', async () => {
    const api = new DataApi(stack.queryUrl, tenants[5]!.dataToken);
    const replies = await Promise.all(
      Array.from({ length: 12 }, (_, i) =>
        api.post('/views', { name: `c ${i}`, state: 'split=isp' }),
      ),
    );
    expect(replies.filter(({ status }) => status === 200)).to.have.length(1);
    expect((await api.get('/views')).body.data).to.have.length(maxViews);
  });
});
