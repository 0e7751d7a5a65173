import { expect } from 'chai';
import { changeMetadata } from '../../support/change-metadata.ts';
import { DataApi } from '../../support/data-api.ts';
import { localStack } from '../../support/local-stack.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { addAgent, addPackages, newTenant, newTenantToken } from '../../support/tenant.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';

type Point = Readonly<Record<string, unknown>>;

/** Mbit/s down and milliseconds. `>`: masked as above, with or without a bound; `<`: below. */
const published = {
  a: { isp: 'Alpha', mbps: '10', ms: '<' },
  b: { isp: 'Alpha', mbps: '20', ms: '10' },
  c: { isp: 'Alpha', mbps: '30', ms: '20' },
  d: { isp: 'Beta', mbps: '40', ms: '<15' },
  e: { isp: 'Beta', mbps: '>', ms: '30' },
  f: { isp: 'Beta', mbps: '>35', ms: '40' },
} as const;
const dayAgo = (days: number) =>
  new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const day = dayAgo(6);

const request = {
  ...plainRequest,
  metric: 'panelDownload',
  aggregation: 'total',
  prefilter: true,
  time: { from: day, to: day },
};
const household = { statistic: 'mean' };

describe('a published value that is masked', () => {
  let api: DataApi;
  let withFloor: (minAgents: number) => Promise<DataApi>;

  before(async () => {
    const { database, clickhouse, queryUrl } = await localStack();
    const tenant = await newTenant(database);
    withFloor = async (min_agents) =>
      new DataApi(
        queryUrl,
        await newTenantToken(database, tenant.organisationId, 'data', { min_agents }),
      );
    api = new DataApi(queryUrl, tenant.dataToken);
    const organisation_id = tenant.organisationId;
    await addPackages(database, organisation_id, { Alpha: ['Fibre'], Beta: ['Fibre'] });
    for (const [agentId, { isp, mbps, ms }] of Object.entries(published)) {
      const agent_key = await addAgent(database, organisation_id, { agentId });
      await changeMetadata(database, tenant, {
        agent: { agent_id: agentId },
        metadata: { package: `${isp}:Fibre`, timezone: 'UTC', custom: { weight: 2 } },
        backdate_from: Date.parse(`${dayAgo(20)}T00:00:00Z`) / 1000,
      });
      const [download, latency] = [cellOf(mbps), cellOf(ms)];
      const row = {
        organisation_id,
        agent_key,
        agent_id: agentId,
        unit_id: agent_key,
        dtime: `${day} 00:00:00`,
        period_end: day,
        download_mean: download.value === null ? null : download.value * 125_000,
        latency_mean: latency.value === null ? null : latency.value * 1_000,
        masked: [
          ...(download.side === undefined ? [] : [`download_mean:${download.side}`]),
          ...(latency.side === undefined ? [] : [`latency_mean:${latency.side}`]),
        ].join(' '),
      };
      // Three earlier days with uploads, which only one test reads.
      const uploads = [1, 2, 3].map((days) => ({
        ...row,
        dtime: `${dayAgo(8 + days)} 00:00:00`,
        download_mean: null,
        latency_mean: null,
        upload_mean: 125_000,
        masked: agentId === 'a' || (agentId === 'b' && days < 3) ? 'upload_mean:above' : '',
      }));
      const values = [row, ...uploads];
      await clickhouse.insert({ table: 'test_panel', format: 'JSONEachRow', values });
    }
    await waitUntilPublished(database, tenant.organisationId);
  });

  async function pointsOf(fields: object, as = api): Promise<readonly Point[]> {
    const { status, body } = await as.post('/metric_data', { ...request, ...fields });
    expect(body.code, JSON.stringify(body)).to.equal('OK');
    expect(status).to.equal(200);
    return (body.data as { metricData: Point[] }[]).flatMap(({ metricData }) => metricData);
  }

  for (const [of, fields] of Object.entries({
    results: {},
    households: { household },
    'weighted households': { household, weight: 'weight' },
  })) {
    it(`counts in the numbers of ${of} that are the same whatever is behind the mask`, async () => {
      const [point] = await pointsOf(fields);
      expect(point).to.include({ sampleCount: 6, agentCount: 6, maskedCount: 2 });
      // 10, 20, 30, 40, one above 35, one above everything: the median is from 32.5 to 35.
      expect(point).to.include({ min: 10, max: null, median: null, metricValue: null });
      expect(point).to.include({ stdDev: null, ci95: null });
      const { percentiles } = point as { percentiles: Point };
      expect(percentiles['20']).to.be.closeTo(20, 1e-9);
      expect(percentiles).to.include({ '80': null, '90': null, '99': null });
    });
  }

  it('is on one side of a threshold, or makes the share unknown', async () => {
    const [point] = await pointsOf({ household, shares: [5, 20, 35, 38, 100] });
    const { shares } = point as { shares: Point };
    expect(shares).to.include({ 5: 1, 35: 0.5, 38: null, 100: null });
    expect(shares[20]).to.be.closeTo(5 / 6, 1e-12);
  });

  it('leaves the lower percentile rule a median that the interpolation has not', async () => {
    const [point] = await pointsOf({ household, percentileRule: 'lower' });
    expect(point).to.include({ median: 30 });
  });

  it('has an extreme on the other side only', async () => {
    const [point] = await pointsOf({ metric: 'panelLatency', household });
    // One below everything, 10, one below 15, 20, 30, 40.
    expect(point).to.include({ maskedCount: 2, min: null, max: 40, metricValue: null });
    expect((point as { percentiles: Point }).percentiles).to.include({ '80': 30, '10': null });
  });

  it('does not change series without one', async () => {
    const [alpha, beta] = await pointsOf({ splits: ['isp'] });
    expect(alpha).to.include({ isp: 'Alpha', maskedCount: 0, metricValue: 20, max: 30 });
    expect(beta).to.include({ isp: 'Beta', maskedCount: 2, metricValue: null, min: null });
  });

  it('makes a comparison say why it has no difference', async () => {
    const isp = (value: string) => [{ id: 'isp', filterType: 'include', filterValues: [value] }];
    const [point] = await pointsOf({
      household,
      filters: isp('Alpha'),
      compare: { filters: isp('Beta') },
    });
    const { compared, difference, households } = point as Record<string, Point>;
    expect(point).to.include({ metricValue: 20, maskedCount: 0 });
    expect(compared).to.include({ metricValue: null, maskedCount: 2, min: null });
    expect(difference).to.include({ metricValue: null, median: null, p: null, reason: 'masked' });
    expect(households).to.include({ both: 0, onlyHere: 3, onlyThere: 3 });
  });

  it('is left out of raw data, with a warning', async () => {
    const points = await pointsOf({ chartType: 'raw' });
    expect(points.map(({ metricValue }) => metricValue)).to.have.members([10, 20, 30, 40]);
    const { body } = await api.post('/metric_data', { ...request, chartType: 'raw' });
    expect(body.warnings?.map(({ code }) => code)).to.deep.equal(['MASKED_VALUES']);
    const sent = { ...request, chartType: 'raw' };
    for (const [path, format] of [
      ['/metric_data.csv', {}],
      ['/metric_data_download', {}],
      ['/metric_data_download', { format: 'parquet' }],
    ] as const) {
      const made = await api.post(path, { ...sent, ...format });
      expect(
        made.body.warnings?.map(({ code }) => code),
        path,
      ).to.deep.equal(['MASKED_VALUES']);
      const aggregated = await api.post(path, { ...request, ...format });
      expect(aggregated.body.warnings, path).to.equal(undefined);
    }
    const { body: others } = await api.post('/metric_data', {
      ...request,
      chartType: 'raw',
      metric: 'panelUpload',
    });
    expect(others.warnings?.map(({ code }) => code)).to.deep.equal(['NO_RESULTS']);
  });

  it('is refused where the worst bucket is asked for', async () => {
    for (const overBuckets of ['busiest', { atLeast: 20 }]) {
      const daily = { ...request, aggregation: 'daily', overBuckets };
      const { status, body } = await api.post('/metric_data', daily);
      expect(status).to.equal(422);
      expect(body.errors?.overBuckets).to.deep.equal([
        'Not for published unit averages: a masked value would make the worst bucket unknown.',
      ]);
    }
  });

  it('is a result that was received', async () => {
    const coverage = { resultsPerHour: 1 / 24 };
    const trim = { statistic: 'mean', trim: [10, 90] };
    for (const fields of [{}, { household }, { household: trim }, { aggregation: 'daily' }]) {
      const points = await pointsOf({ coverage, splits: ['isp'], ...fields });
      expect(points.map(({ isp, coverage: own }) => [isp, own])).to.deep.equal([
        ['Alpha', { expected: 3, received: 3, agents: 3, reporting: 3, share: 1 }],
        ['Beta', { expected: 3, received: 3, agents: 3, reporting: 3, share: 1 }],
      ]);
    }
  });

  it('is counted with a privacy floor if enough households are masked, and enough are not', async () => {
    const time = { from: `${dayAgo(12)} 00:00`, to: `${day} 23:59` };
    const countOf = async (minAgents: number, changes: object) => {
      const [point] = await pointsOf({ time, ...changes }, await withFloor(minAgents));
      expect(point).to.include({ suppressed: false, agentCount: 6 });
      return point?.maskedCount;
    };
    for (const changes of [{}, { household }, { agent_agg: true }, { household, minAgents: 1 }]) {
      expect(await countOf(2, changes)).to.equal(2);
      expect(await countOf(3, changes)).to.equal(null);
    }
    // Of uploads, five results of two households are masked.
    expect((await pointsOf({ time, metric: 'panelUpload' }))[0]).to.include({ maskedCount: 5 });
    expect(await countOf(2, { metric: 'panelUpload' })).to.equal(5);
    expect(await countOf(3, { metric: 'panelUpload' })).to.equal(null);
  });

  it('leaves a share out if a few households without a mask are above its threshold', async () => {
    // Above 25: 30 and 40, and two that are masked.
    const asked = { household, shares: [15, 25, 35] };
    const sharesOf = async (minAgents: number) =>
      (await pointsOf(asked, await withFloor(minAgents)))[0]?.shares;
    expect(await sharesOf(2)).to.deep.equal({ 15: null, 25: 4 / 6, 35: null });
    expect(await sharesOf(3)).to.deep.equal({ 15: null, 25: null, 35: null });
  });

  it('is hidden by a minimum of agents like any other number', async () => {
    const [point] = await pointsOf({ household, minAgents: 7 });
    expect(point).to.include({ maskedCount: null, suppressed: true });
  });
});

function cellOf(text: string): { readonly value: number | null; readonly side?: string } {
  const [, sign = '', number = ''] = /^([<>]?)(.*)$/.exec(text) ?? [];
  const value = number === '' ? null : Number(number);
  return sign === '' ? { value } : { value, side: sign === '>' ? 'above' : 'below' };
}
