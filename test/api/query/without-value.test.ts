import { expect } from 'chai';
import { changeMetadata } from '../../support/change-metadata.ts';
import { DataApi } from '../../support/data-api.ts';
import { localStack } from '../../support/local-stack.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { addAgent, addPackages, newTenant } from '../../support/tenant.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';

type Point = Readonly<Record<string, unknown>>;

/** Mbit/s that a publication has for each unit on two days; null is a blank cell. */
const published = {
  full: [80, 60],
  half: [40, null],
  blank: [null, null],
  // No weight.
  light: [10, null],
} as const;
const dayAgo = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const days = [dayAgo(6), dayAgo(5)] as const;

const request = {
  ...plainRequest,
  metric: 'panelDownload',
  prefilter: true,
  time: { from: days[0], to: days[1] },
};
const weighted = { ...request, household: { statistic: 'mean' }, weight: 'weight' };

describe('a household whose rows have no value', () => {
  let api: DataApi;
  let url: string;
  let token: string;

  before(async () => {
    const { database, clickhouse, queryUrl } = await localStack();
    const tenant = await newTenant(database);
    [url, token] = [queryUrl, tenant.dataToken];
    api = new DataApi(url, token);
    const organisation_id = tenant.organisationId;
    await addPackages(database, organisation_id, { Alpha: ['Fibre'], Beta: ['Fibre'] });
    const change = (agentId: string, isp: string, day: string) =>
      changeMetadata(database, tenant, {
        agent: { agent_id: agentId },
        metadata: {
          package: `${isp}:Fibre`,
          timezone: 'UTC',
          custom: { weight: agentId === 'light' ? 'none' : 2 },
        },
        backdate_from: Date.parse(`${day}T00:00:00Z`) / 1000,
      });
    for (const [agentId, speeds] of Object.entries(published)) {
      const agent_key = await addAgent(database, organisation_id, { agentId });
      await change(agentId, 'Alpha', dayAgo(20));
      // `half` has Beta only on the day of its blank cell, which is not a stay.
      if (agentId === 'half') await change(agentId, 'Beta', days[1]);
      const ids = {
        organisation_id,
        agent_key,
        agent_id: agentId,
        unit_id: agent_key,
        base: 'wb8',
      };
      const values = speeds.map((mbps, i) => ({
        ...ids,
        dtime: `${days[i]} 00:00:00`,
        period_end: days[i],
        download_mean: mbps === null ? null : (mbps * 1e6) / 8,
      }));
      await clickhouse.insert({ table: 'test_panel', format: 'JSONEachRow', values });
      // A download that fails for all but `full`, and a ping under load that gets no response.
      const failed = { ...ids, dtime: `${days[0]} 12:00:00`, successes: 0, failures: 1 };
      const worked = { ...failed, bytes_sec: 1_250_000, successes: 1, failures: 0 };
      const download = agentId === 'full' ? worked : failed;
      await clickhouse.insert({
        table: 'test_httpget',
        format: 'JSONEachRow',
        values: [download],
      });
      await clickhouse.insert({
        table: 'test_ping',
        format: 'JSONEachRow',
        values: [{ ...failed, line_load: 'download' }],
      });
    }
    await waitUntilPublished(database, organisation_id);
  });

  it('is counted, and a day that has only such households is a point', async () => {
    const [first, second] = await points(weighted);
    expect(first).to.include({ metricValue: 60, agentCount: 2 });
    expect(first?.leftOut).to.deep.equal({ resultsWithoutWeight: 1, householdsWithoutValue: 1 });
    expect(second).to.include({ metricValue: 60, agentCount: 1, dtime: days[1] });
    expect(second?.leftOut).to.deep.equal({ resultsWithoutWeight: 0, householdsWithoutValue: 3 });
    const filters = [{ id: 'agent', filterType: 'exclude', filterValues: ['full'] }];
    const [, empty] = await points({ ...weighted, filters });
    expect(empty).to.include({ metricValue: null, agentCount: 0, sampleCount: 0 });
    expect(empty?.leftOut).to.deep.equal({ resultsWithoutWeight: 0, householdsWithoutValue: 3 });
  });

  for (const [what, fields] of [
    ['pooled results', {}],
    ['pooled results, normalised', { normalised: true }],
    ['households', { household: { statistic: 'median' } }],
    ['households, normalised', { household: { statistic: 'mean' }, normalised: true }],
    ['means of agents', { agent_agg: true }],
    ['trimmed households', { household: { statistic: 'mean', trim: [0, 100] } }],
    ['stays', { switchers: 'drop' }],
    ['stays of households', { switchers: 'longest', household: { statistic: 'mean' } }],
    ['no prefilter', { prefilter: false }],
  ] as const) {
    it(`is counted once for the whole range, with ${what}`, async () => {
      const [total] = await points({ ...request, aggregation: 'total', minAgents: 1, ...fields });
      expect(total).to.include({ agentCount: 3, sampleCount: 4 });
      expect(total?.leftOut).to.include({ householdsWithoutValue: 1 });
    });
  }

  it('is counted by the ISP of the row, in a split as with a filter; a blank row is not a stay', async () => {
    for (const household of [undefined, { statistic: 'mean' }]) {
      const sent = { ...request, household, switchers: 'drop', minAgents: 1 };
      const split = await points({ ...sent, aggregation: 'total', splits: ['isp'] });
      const leftOut = split.map(({ isp, leftOut }) => ({ isp, ...(leftOut as object) }));
      expect(leftOut).to.deep.equal([
        { isp: 'Alpha', resultsOfSwitchers: 0, householdsWithoutValue: 1 },
        { isp: 'Beta', resultsOfSwitchers: null, householdsWithoutValue: null },
      ]);
      const filters = [{ id: 'isp', filterType: 'include', filterValues: ['Beta'] }];
      const [beta] = await points({ ...sent, minAgents: null, filters });
      expect(beta?.leftOut).to.deep.equal({ resultsOfSwitchers: 0, householdsWithoutValue: 1 });
      expect(beta).to.include({ dtime: days[1], agentCount: 0 });
    }
  });

  it('is a household with failed tests only, and not one with rows of another metric', async () => {
    const downloads = { ...request, metric: 'httpget', householdIntervals: true };
    const [first] = await points({ ...downloads, coverage: true });
    expect(first).to.include({ metricValue: 10, agentCount: 1, sampleCount: 1 });
    expect(first?.leftOut).to.deep.equal({ householdsWithoutValue: 3 });
    expect(first?.coverage).to.include({ received: 1, reporting: 1, agents: 4 });
    const [loaded] = await points({ ...downloads, metric: 'pingDownload' });
    expect(loaded).to.include({ metricValue: null });
    expect(loaded?.leftOut).to.deep.equal({ householdsWithoutValue: 4 });
    expect(await points({ ...downloads, metric: 'pingAvg' })).to.deep.equal([]);
  });

  it('is absent from requests that are not reports', async () => {
    expect(await points({ ...request, metric: 'pingDownload' })).to.deep.equal([]);
    const [, second] = await points(request);
    expect(second).to.include({ sampleCount: 1 });
    expect(second).not.to.have.property('leftOut');
  });

  it('is counted in a column of CSV', async () => {
    const response = await fetch(`${url}/metric_data`, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json', accept: 'text/csv' },
      body: JSON.stringify(weighted),
    });
    const [header = '', , second = ''] = (await response.text()).replaceAll('"', '').split('\n');
    const place = header.split(',').indexOf('householdsWithoutValue');
    expect(second.split(',')[place]).to.equal('3');
  });

  async function points(body: object): Promise<readonly Point[]> {
    return api.points<Point>(body);
  }
});
