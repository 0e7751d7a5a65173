import { expect } from 'chai';
import { firstDifference } from '../../reference/first-difference.ts';
import { changeMetadata } from '../../support/change-metadata.ts';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { localStack } from '../../support/local-stack.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { addAgent, addPackages, newTenant } from '../../support/tenant.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';

type Point = Readonly<Record<string, unknown>>;

const dayMs = 86_400_000;
const today = Math.floor(Date.now() / dayMs) * dayMs;
const dayAgo = (days: number) => new Date(today - days * dayMs).toISOString().slice(0, 10);

/** Mbit/s by day. `moving` has Alpha for two days, then Beta. */
const downloads = { staying: [100, 100, 100, 100, 100], moving: [20, 10, 50, 60, 70] };

const request = {
  ...plainRequest,
  aggregation: 'total',
  prefilter: true,
  time: { from: '-12 days', to: 'now' },
  household: { statistic: 'mean' },
};

describe('a split by ISP and a filter by ISP', () => {
  let api: DataApi;

  before(async () => {
    const { database, clickhouse, queryUrl } = await localStack();
    const tenant = await newTenant(database);
    api = new DataApi(queryUrl, tenant.dataToken);
    await addPackages(database, tenant.organisationId, { Alpha: ['Fibre'], Beta: ['Fibre'] });
    const change = (agentId: string, isp: string, days: number) =>
      changeMetadata(database, tenant, {
        agent: { agent_id: agentId },
        metadata: { package: `${isp}:Fibre`, timezone: 'UTC', custom: { advertised: 50 } },
        backdate_from: (today - days * dayMs) / 1000,
      });
    for (const [agentId, speeds] of Object.entries(downloads)) {
      const agentKey = await addAgent(database, tenant.organisationId, { agentId });
      await change(agentId, 'Alpha', 11);
      if (agentId === 'moving') await change(agentId, 'Beta', 8);
      const rows = speeds.map((mbps, i) => ({ agentKey, agentId, mbps, dtime: timeOf(i) }));
      await addDownloads(clickhouse, tenant.organisationId, rows);
    }
    await waitUntilPublished(database, tenant.organisationId);
  });

  const cases: readonly (readonly [string, object, Point, Readonly<Record<string, number>>])[] = [
    [
      'switchers are dropped',
      { switchers: 'drop' },
      { metricValue: 100, agentCount: 1, sampleCount: 5 },
      { resultsOfSwitchers: 2 },
    ],
    [
      'the longest stay counts',
      { switchers: 'longest' },
      { metricValue: 100, agentCount: 1, sampleCount: 5 },
      { resultsOfSwitchers: 2 },
    ],
    [
      'results are pooled',
      { switchers: 'drop', household: undefined },
      { metricValue: 100, agentCount: 1, sampleCount: 5 },
      { resultsOfSwitchers: 2 },
    ],
    [
      // The median of all results of `moving` is 50; of those with Alpha it is 15.
      'a trim cuts results above the median of the household',
      { household: { statistic: 'mean', trim: [null, 50] } },
      { metricValue: (100 + 15) / 2, agentCount: 2, sampleCount: 7 },
      { resultsTrimmed: 0 },
    ],
    [
      // 12:00 is in the window, so the results of 18:00 are only in the bounds: their median is 50, with Alpha 15.
      'a trim has bounds over the range, in a window',
      {
        household: { statistic: 'mean', trim: [null, 50], trimOver: 'range' },
        window: { hours: [12] },
      },
      { metricValue: (100 + 20) / 2, agentCount: 2, sampleCount: 4 },
      { resultsTrimmed: 0 },
    ],
    [
      'the metadata is that of a moment',
      { switchers: 'drop', knownAt: 'now' },
      { metricValue: 100, agentCount: 1, sampleCount: 5 },
      { resultsOfSwitchers: 2 },
    ],
    [
      'the method is that of the FCC',
      {
        method: 'fcc-2018',
        household: undefined,
        window: { hours: [12, 18] },
        relativeTo: 'advertised',
        minAgents: 1,
      },
      { metricValue: 200, agentCount: 1, sampleCount: 5 },
      { resultsOfSwitchers: 2, resultsWithoutField: 0, resultsTrimmed: 0 },
    ],
  ];
  for (const [what, fields, expected, leftOut] of cases) {
    it(`give the same numbers if ${what}`, async () => {
      const sent = { ...request, ...fields };
      const split = await points({ ...sent, splits: ['isp'] });
      const alpha = split.find(({ isp }) => isp === 'Alpha');
      expect(alpha).to.include(expected);
      expect(alpha?.leftOut).to.include(leftOut);
      for (const isp of ['Alpha', 'Beta']) {
        const filters = [{ id: 'isp', filterType: 'include', filterValues: [isp] }];
        const series = split.filter((point) => point.isp === isp);
        const filtered = (await points({ ...sent, filters })).map((point) => ({ isp, ...point }));
        expect(firstDifference(series, filtered)).to.equal(undefined);
      }
    });
  }

  it('give the same coverage and the same days, and a stored answer has them too', async () => {
    const sent = { ...request, switchers: 'drop', aggregation: 'daily' };
    const filters = [{ id: 'isp', filterType: 'exclude', filterValues: ['Beta'] }];
    for (const fields of [{ coverage: true }, {}, {}]) {
      const split = await points({ ...sent, ...fields, splits: ['isp'] });
      const series = split.filter(({ isp }) => isp === 'Alpha');
      expect(series).to.have.length(5);
      const filtered = (await points({ ...sent, ...fields, filters })).map((point) => ({
        isp: 'Alpha',
        ...point,
      }));
      expect(firstDifference(series, filtered)).to.equal(undefined);
    }
  });

  it('by the target of results applies before stays', async () => {
    const filters = [{ id: 'target', filterType: 'include', filterValues: ['none.example.net'] }];
    expect(await points({ ...request, switchers: 'drop', filters })).to.deep.equal([]);
  });

  async function points(body: object): Promise<readonly Point[]> {
    const known = 'knownAt' in body ? { knownAt: new Date().toISOString() } : {};
    return api.points<Point>({ ...body, ...known });
  }
});

/** At 12:00 and 18:00, by turns. */
function timeOf(day: number): string {
  return `${dayAgo(10 - day)} ${day % 2 === 0 ? '12' : '18'}:00:00`;
}
