import { expect } from 'chai';
import { changeMetadata } from '../../support/change-metadata.ts';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { type LocalStack, localStack } from '../../support/local-stack.ts';
import { addAgent, newTenant, newTenantToken, type Tenant } from '../../support/tenant.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';

interface Listed {
  readonly key: string;
  readonly from: string | null;
  readonly to: string | null;
  readonly households: number | null;
  readonly reportingHouseholds: number | null;
}

const nothing = { from: null, to: null, households: 0, reportingHouseholds: 0 };

// Kathmandu is +05:45, Los Angeles -07:00 in summer and -08:00 in winter.
const zones = {
  kathmandu: 'Asia/Kathmandu',
  angeles: 'America/Los_Angeles',
  london: 'Europe/London',
};
const downloads = [
  // 31 August in Los Angeles, before the UTC day.
  ['angeles', '2026-09-01 03:00:00'],
  ['london', '2026-10-14 12:00:00'],
  ['angeles', '2026-10-15 12:00:00'],
  ['kathmandu', '2026-11-04 12:00:00'],
  ['london', '2026-11-04 12:00:00'],
  // 11 November in Kathmandu, after the UTC day.
  ['kathmandu', '2026-11-10 20:00:00'],
] as const;

describe('where the data of metrics is', () => {
  let stack: LocalStack;
  let tenant: Tenant;
  let api: DataApi;
  const agentKeys: Record<string, number> = {};

  before(async () => {
    stack = await localStack();
    const { database } = stack;
    tenant = await newTenant(database);
    api = new DataApi(stack.queryUrl, tenant.dataToken);
    for (const [agentId, timezone] of Object.entries(zones)) {
      agentKeys[agentId] = await addAgent(database, tenant.organisationId, { agentId });
      const from = new Date('2026-08-01T00:00:00Z');
      const change = {
        agent: { agent_id: agentId },
        metadata: { timezone },
        backdate_from: from.getTime() / 1000,
      };
      await changeMetadata(database, tenant, change, from);
    }
    await waitUntilPublished(database, tenant.organisationId);
  });

  it('is empty without results, and then at once has the local days of the first and last one', async () => {
    expect(await dataOf('httpget')).to.deep.equal(nothing);
    await add(downloads.map(([agentId, dtime]) => ({ agentId, dtime, mbps: 50 })));
    expect(await dataOf('httpget')).to.deep.equal({
      from: '2026-08-31',
      to: '2026-11-11',
      // From 14 October on: all three. From 4 November on: all but Los Angeles.
      households: 3,
      reportingHouseholds: 2,
    });
    expect(await dataOf('httppost')).to.deep.equal(nothing);
  });

  it('counts what the metric counts: a failed download has no speed', async () => {
    const other = await newTenant(stack.database);
    const agentKey = await addAgent(stack.database, other.organisationId, { agentId: 'one' });
    const rows = ['2026-10-01', '2026-10-02', '2026-11-20'].map((day) => ({
      organisation_id: other.organisationId,
      agent_key: agentKey,
      agent_id: 'one',
      dtime: `${day} 12:00:00`,
      bytes_sec: 1e6,
      successes: day === '2026-10-01' || day === '2026-10-02' ? 1 : 0,
    }));
    await stack.clickhouse.insert({ table: 'test_httpget', format: 'JSONEachRow', values: rows });
    expect(await dataOf('httpget', new DataApi(stack.queryUrl, other.dataToken))).to.deep.equal({
      from: '2026-10-01',
      to: '2026-10-02',
      households: 1,
      reportingHouseholds: 1,
    });
  });

  it('belongs to one organisation', async () => {
    const { dataToken } = await newTenant(stack.database);
    expect(await dataOf('httpget', new DataApi(stack.queryUrl, dataToken))).to.deep.equal(nothing);
  });

  it('hides what is below a privacy floor', async () => {
    const withFloor = async (min_agents: number) => {
      const { database, queryUrl } = stack;
      const token = await newTenantToken(database, tenant.organisationId, 'data', { min_agents });
      return dataOf('httpget', new DataApi(queryUrl, token));
    };
    expect(await withFloor(2)).to.include({
      to: '2026-11-11',
      households: 3,
      reportingHouseholds: 2,
    });
    expect(await withFloor(3)).to.include({
      to: '2026-11-11',
      households: 3,
      reportingHouseholds: null,
    });
    expect(await withFloor(4)).to.deep.equal({
      from: null,
      to: null,
      households: null,
      reportingHouseholds: null,
    });
  });

  it('is kept for a minute while results arrive', async () => {
    const before = await dataOf('httpget');
    await add([{ agentId: 'london', dtime: '2026-11-15 12:00:00', mbps: 50 }]);
    expect(await dataOf('httpget')).to.deep.equal(before);
  });

  async function dataOf(metric: string, from = api) {
    const { status, body } = await from.get('/metrics');
    expect(status, JSON.stringify(body)).to.equal(200);
    const listed = (body.data as Listed[]).find(({ key }) => key === metric)!;
    const { from: first, to, households, reportingHouseholds } = listed;
    return { from: first, to, households, reportingHouseholds };
  }

  function add(rows: readonly { agentId: string; dtime: string; mbps: number }[]) {
    return addDownloads(
      stack.clickhouse,
      tenant.organisationId,
      rows.map((row) => ({ ...row, agentKey: agentKeys[row.agentId]! })),
    );
  }
});
