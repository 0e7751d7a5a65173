import { expect } from 'chai';
import { changeMetadata } from '../../support/change-metadata.ts';
import { DataApi } from '../../support/data-api.ts';
import { localStack } from '../../support/local-stack.ts';
import { addAgent, newTenant, newTenantToken } from '../../support/tenant.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';

type Point = Readonly<Record<string, unknown>>;

const percents = [5, 10, 25, 50, 75, 90, 95];

/** Mbit/s, at the percentiles above, and the results of each cell. M-Lab publishes no mean. */
const october = {
  AU: { count: 4, mbps: [1, 2, 10, 40, 90, 200, 300], mean: null },
  BR: { count: 900, mbps: [2, 4, 20, 80, 150, 400, 500], mean: 110 },
  DE: { count: 1200, mbps: [3, 5, 25, 60, 120, 250, 350], mean: null },
} as const;
const november = { BR: { count: 1000, mbps: [2, 4, 22, 90, 160, 410, 520], mean: 120 } } as const;

const request = {
  metric: 'cellDownload',
  chartType: 'aggregate',
  aggregation: 'total',
  normalised: false,
  prefilter: true,
  splits: ['country'],
  time: { from: '2024-10-01', to: '2024-10-31' },
};
const inCountry = (country: string) => [
  { id: 'country', filterType: 'include', filterValues: [country] },
];
const months = { time: { from: '2024-10-01', to: '2024-11-30' }, filters: inCountry('BR') };

describe('published percentiles', () => {
  let api: DataApi;
  let withFloor: DataApi;
  let token: string;

  before(async () => {
    const { database, clickhouse, queryUrl } = await localStack();
    const tenant = await newTenant(database);
    token = tenant.dataToken;
    api = new DataApi(queryUrl, token);
    const organisation_id = tenant.organisationId;
    withFloor = new DataApi(
      queryUrl,
      await newTenantToken(database, organisation_id, 'data', { min_agents: 5 }),
    );
    const keys = new Map<string, number>();
    for (const country of Object.keys(october)) {
      const agentId = `m-${country}`;
      keys.set(
        country,
        await addAgent(database, organisation_id, { agentId, country, kind: 'cell' }),
      );
      await changeMetadata(database, tenant, {
        agent: { agent_id: agentId },
        metadata: { timezone: 'UTC', custom: { continent: country === 'DE' ? 'Europe' : 'Other' } },
      });
    }
    const rowsOf = (month: string, cells: object) =>
      Object.entries(cells as typeof october).map(([country, { count, mbps, mean }]) => ({
        organisation_id,
        agent_key: keys.get(country),
        agent_id: `m-${country}`,
        dtime: `${month}-01 00:00:00`,
        period_end: `${month}-30`,
        download_count: count,
        download_mean: mean === null ? null : mean * 125_000,
        download_min: 12_500,
        ...Object.fromEntries(percents.map((p, i) => [`download_p${p}`, mbps[i]! * 125_000])),
        // Labelled from the best value on.
        latency_count: count,
        latency_p5: 90_000,
        latency_p50: 20_000,
        latency_p95: 5_000,
      }));
    await clickhouse.insert({
      table: 'test_cells',
      format: 'JSONEachRow',
      values: [...rowsOf('2024-10', october), ...rowsOf('2024-11', november)],
    });
    await waitUntilPublished(database, organisation_id);
  });

  async function pointsOf(fields: object, by = api): Promise<readonly Point[]> {
    const { status, body } = await by.post('/metric_data', { ...request, ...fields });
    expect(status, JSON.stringify(body)).to.equal(200);
    return (body.data as { metricData: Point[] }[]).flatMap(({ metricData }) => metricData);
  }

  async function csvOf(body: object): Promise<string> {
    const { queryUrl } = await localStack();
    const headers = {
      authorization: token,
      accept: 'text/csv',
      'content-type': 'application/json',
    };
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    return (await fetch(`${queryUrl}/metric_data`, init)).text();
  }

  async function refused(fields: object): Promise<Readonly<Record<string, readonly string[]>>> {
    const { status, body } = await api.post('/metric_data', { ...request, ...fields });
    expect(status, JSON.stringify(body)).to.equal(422);
    expect(body.code).to.equal('VALIDATION_FAIL');
    return body.errors as Record<string, readonly string[]>;
  }

  it('are returned as they are, with nothing that would need the results behind them', async () => {
    const [au, br, de] = await pointsOf({});
    expect(de).to.deep.include({
      country: 'DE',
      sampleCount: 1200,
      agentCount: null,
      unitCount: null,
      metricValue: null,
      stdDev: null,
      ci90: null,
      ci95: null,
      ci99: null,
      min: 0.1,
      max: null,
      median: 60,
      percentiles: {
        ...{ 1: null, 5: 3, 10: 5, 20: null, 25: 25, 50: 60 },
        ...{ 75: 120, 80: null, 90: 250, 95: 350, 99: null },
      },
    });
    expect(br).to.include({ country: 'BR', sampleCount: 900, metricValue: 110, median: 80 });
    expect(au).to.include({ country: 'AU', sampleCount: 4, metricValue: null, median: 40 });
  });

  it('are returned by month, one cell per point', async () => {
    const points = await pointsOf({ ...months, splits: [], aggregation: 'monthly' });
    expect(
      points.map(({ dtime, median, metricValue }) => [dtime, median, metricValue]),
    ).to.deep.equal([
      ['2024-10-01', 80, 110],
      ['2024-11-01', 90, 120],
    ]);
  });

  for (const [what, fields] of Object.entries({
    'several countries': { splits: [] },
    'several countries of a continent': { splits: ['custom.continent'] },
    'several months': months,
  })) {
    it(`are refused for ${what} in one point`, async () => {
      const { splits } = await refused(fields);
      expect(splits).to.have.length(1);
      expect(splits![0]).to.match(/several published cells.*Split by .*country or agent/);
    });
  }

  it('of one of these countries or months are returned', async () => {
    const points = await pointsOf({ splits: ['custom.continent'], filters: inCountry('BR') });
    expect(points).to.have.length(1);
    expect(points[0]).to.include({ median: 80, sampleCount: 900 });
  });

  for (const [name, fields] of Object.entries({
    normalised: { normalised: true },
    agent_agg: { agent_agg: true },
    window: { window: { hours: [20, 21] } },
    household: { household: { statistic: 'mean' } },
    weight: { weight: 'custom.continent', household: { statistic: 'mean' } },
    relativeTo: { relativeTo: { field: 'custom.continent' } },
    shares: { shares: { thresholds: [30] } },
    householdIntervals: { householdIntervals: true },
    intervalsOf: { intervalsOf: [50] },
    minAgents: { minAgents: 3 },
    switchers: { switchers: 'drop' },
    overBuckets: { overBuckets: { busiest: true }, aggregation: 'monthly' },
    coverage: { coverage: { resultsPerHour: 1 } },
    method: { method: 'fcc-2018' },
    'compare[to]': { compare: { to: 'rest' } },
    'compare[agents]': { compare: { time: months.time, agents: 'both' } },
    'compare[window]': { compare: { window: { hours: [20] } } },
  })) {
    it(`are refused with ${name}, which needs the results behind them`, async () => {
      const errors = await refused(fields);
      expect(errors[name]).to.include(
        'cellDownload has published percentiles of cells, without the results behind them, which this needs. Leave it out.',
      );
    });
  }

  it('are refused raw, and by hours that a cell does not have', async () => {
    expect(await refused({ chartType: 'raw' })).to.have.keys('chartType');
    for (const aggregation of ['hourly', 'hour_of_day', 'day_of_week']) {
      const { aggregation: problems } = await refused({ aggregation });
      expect(problems).to.deep.equal([
        'The cells of cellDownload are of whole days or more. Send one of: daily, weekly, monthly, quarterly, yearly, total.',
      ]);
    }
  });

  it('that decrease do not pass the prefilter', async () => {
    expect(await pointsOf({ metric: 'cellLatency' })).to.deep.equal([]);
    const points = await pointsOf({ metric: 'cellLatency', prefilter: false });
    expect(points.map(({ median }) => median)).to.deep.equal([20, 20, 20]);
  });

  it('are compared without an interval and without a probability', async () => {
    const [point] = await pointsOf({
      filters: inCountry('BR'),
      compare: { time: { from: '2024-11-01', to: '2024-11-30' } },
    });
    const { compared, difference } = point as Record<string, Point>;
    expect(point).to.include({ metricValue: 110, median: 80, sampleCount: 900 });
    expect(compared).to.include({ metricValue: 120, median: 90, sampleCount: 1000 });
    expect(difference).to.deep.equal({
      metricValue: -10,
      percent: (100 * -10) / 120,
      ci90: null,
      ci95: null,
      ci99: null,
      p: null,
      pAdjusted: null,
      df: null,
      median: -10,
      medianCi95: [null, null],
      reason: 'preAggregated',
    });
    expect(point).not.to.have.any.keys('households', 'change', 'leftOut');
  });

  it('of two countries differ in their medians, and one that is missing is null', async () => {
    const compare = { filters: inCountry('BR') };
    const [point] = await pointsOf({ splits: [], filters: inCountry('DE'), compare });
    const { difference } = point as Record<string, Point>;
    expect(difference).to.include({ metricValue: null, median: -20, reason: 'preAggregated' });
    const nowhere = { splits: [], filters: inCountry('DE'), compare: { filters: inCountry('XX') } };
    const [alone] = await pointsOf(nowhere);
    expect(alone).to.include({ median: 60, sampleCount: 1200 });
    expect((alone as Record<string, Point>).compared).to.include({ median: null });
    expect((alone as Record<string, Point>).difference).to.include({
      median: null,
      reason: 'noComparedValue',
    });
  });

  it('of few results are hidden from a caller with a privacy floor', async () => {
    const [au, br, de] = await pointsOf({}, withFloor);
    expect(au).to.include({ country: 'AU', suppressed: true, median: null, sampleCount: null });
    // The next smallest one too: with all others known, the first one would be.
    expect([br, de].map((point) => point?.suppressed)).to.deep.equal([true, false]);
    expect(de).to.include({ median: 60, sampleCount: 1200, min: null, agentCount: null });
    expect((de as { percentiles: Point }).percentiles).to.include({ 5: 3, 95: 350 });
  });

  it('are in CSV, and their SQL can be explained', async () => {
    const csv = await csvOf(request);
    const [header = '', ...lines] = csv.trim().split('\n');
    const columns = header.split(',').map((name) => name.replaceAll('"', ''));
    const cells = (lines[2] ?? '').split(',');
    const cell = (name: string) => cells[columns.indexOf(name)];
    expect([cell('country'), cell('median'), cell('p5')]).to.deep.equal(['"DE"', '60', '3']);
    expect([cell('sampleCount'), cell('agentCount')]).to.deep.equal(['1200', '']);
    const { status, body } = await api.post('/metric_data/explain', request);
    expect(status).to.equal(200);
    expect(JSON.stringify(body.data)).to.include('One row per point: the numbers of its cell');
  });
});
