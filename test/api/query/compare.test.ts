import { expect } from 'chai';
import { parseCsv } from '../../../services/results/csv.ts';
import { changeMetadata } from '../../support/change-metadata.ts';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { localStack } from '../../support/local-stack.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { addAgent, addPackages, newTenant, newTenantToken } from '../../support/tenant.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';

type Numbers = Readonly<Record<string, unknown>>;

const december = { from: '2025-12-01 00:00', to: '2025-12-31 23:59' };
const january = { from: '2026-01-01', to: '2026-01-31' };
const february = { from: '2026-02-01', to: '2026-02-28' };

/** Mbit/s by day, and the packages from a day on. */
const households = [
  {
    agentId: 'a',
    packages: { '2025-11-01': 'North 100' },
    mbps: { '2025-12-10': 90, '2026-01-10': 100, '2026-02-10': 100 },
  },
  {
    agentId: 'b',
    packages: { '2025-11-01': 'North 100', '2026-01-01': 'North 200' },
    mbps: { '2025-12-10': 76, '2026-01-10': 80 },
  },
  {
    agentId: 'c',
    packages: { '2025-11-01': 'South 100' },
    mbps: { '2025-12-10': 63, '2026-01-10': 60, '2026-02-10': 60 },
  },
  {
    agentId: 'd',
    packages: { '2025-11-01': 'South 100' },
    mbps: { '2025-12-10': 70, '2026-01-10': 90 },
  },
  { agentId: 'e', packages: { '2025-11-01': 'South 100' }, mbps: { '2026-01-10': 75 } },
  {
    agentId: 'f',
    packages: { '2025-11-01': 'North 100', '2026-02-15': 'South 100' },
    mbps: { '2026-02-10': 50, '2026-02-20': 110 },
  },
];

const total = { ...plainRequest, aggregation: 'total', time: january };
const perHousehold = { ...total, household: { statistic: 'mean' } };
const ofIsp = (...filterValues: string[]) => ({
  filters: [{ id: 'isp', filterType: 'include', filterValues }],
});

describe('a comparison', () => {
  let url: string;
  let api: DataApi;
  let token: string;
  let floored: DataApi;

  before(async () => {
    const { database, clickhouse, queryUrl } = await localStack();
    const tenant = await newTenant(database);
    const { organisationId } = tenant;
    await addPackages(database, organisationId, {
      North: ['North 100', 'North 200'],
      South: ['South 100'],
    });
    for (const { agentId, packages, mbps } of households) {
      const agentKey = await addAgent(database, organisationId, { agentId });
      for (const [from, name] of Object.entries(packages)) {
        const fromS = Date.parse(from) / 1000;
        const changed = {
          agent: { agent_id: agentId },
          metadata: { timezone: 'UTC', package: `${name.split(' ')[0]}:${name}` },
          backdate_from: fromS,
        };
        await changeMetadata(database, tenant, changed, new Date((fromS + 86_400) * 1000));
      }
      const downloads = Object.entries(mbps).map(([day, value]) => ({
        agentKey,
        agentId,
        mbps: value,
        dtime: `${day} 12:00:00`,
      }));
      await addDownloads(clickhouse, organisationId, downloads);
    }
    await waitUntilPublished(database, organisationId);
    [url, token] = [queryUrl, tenant.dataToken];
    api = new DataApi(url, token);
    const withFloor = await newTenantToken(database, organisationId, 'data', { min_agents: 2 });
    floored = new DataApi(url, withFloor);
  });

  async function pointsOf(request: object, of = api): Promise<readonly Numbers[]> {
    const { status, body } = await of.post('/metric_data', request);
    expect(status, JSON.stringify(body)).to.equal(200);
    const series = body.data as { metricData: Numbers[] }[];
    return series.flatMap(({ metricData }) => metricData);
  }

  async function pointOf(request: object, of = api): Promise<Record<string, Numbers>> {
    const points = await pointsOf(request, of);
    expect(points).to.have.length(1);
    return points[0] as Record<string, Numbers>;
  }

  async function refused(changes: object): Promise<unknown> {
    const { status, body } = await api.post('/metric_data', { ...perHousehold, ...changes });
    expect(status, JSON.stringify(body)).to.equal(422);
    return body.errors;
  }

  it('of the same households at two times is the paired t test', async () => {
    const compare = { time: december, agents: 'both' };
    const {
      metricValue,
      compared,
      difference,
      households: counted,
    } = await pointOf({ ...perHousehold, compare });
    expect([metricValue, compared?.metricValue]).to.deep.equal([82.5, 74.75]);
    // scipy.stats.ttest_rel([100, 80, 60, 90], [90, 76, 63, 70])
    expect(difference).to.include({
      metricValue: 7.75,
      reason: null,
      pAdjusted: null,
      median: 12,
    });
    expect(difference?.p).to.be.closeTo(0.20984860103353176, 1e-10);
    expect(difference?.ci95).to.be.closeTo(23.25252099765407 - 7.75, 1e-8);
    expect(difference?.percent).to.be.closeTo((100 * 7.75) / 74.75, 1e-9);
    expect(counted).to.deep.equal({ both: 4, onlyHere: 0, onlyThere: 0 });
  });

  it('says what the difference consists of', async () => {
    const { difference, change, compared } = await pointOf({
      ...perHousehold,
      compare: { time: december },
    });
    expect(difference?.metricValue).to.equal(6.25);
    // e joined, b changed its package.
    expect(change).to.deep.equal({
      joined: -1.5,
      left: 0,
      samePlan: 6.75,
      changedPlan: 1,
      reweighted: 0,
    });
    expect(compared).to.include({ agentCount: 4, sampleCount: 4, min: 63, max: 90 });
    expect(compared).not.to.have.property('dtime');
  });

  it('of different households is Welch’s t test', async () => {
    const { difference, households: counted } = await pointOf({
      ...perHousehold,
      ...ofIsp('North'),
      compare: ofIsp('South'),
    });
    // scipy.stats.ttest_ind([100, 80], [60, 90, 75], equal_var=False)
    expect(difference?.metricValue).to.equal(15);
    expect(difference?.df).to.be.closeTo(2.3902439024390243, 1e-9);
    expect(difference?.p).to.be.closeTo(0.35768875915084414, 1e-10);
    expect(difference?.ci95).to.be.closeTo(63.878569271353484 - 15, 1e-7);
    expect(counted).to.deep.equal({ both: 0, onlyHere: 2, onlyThere: 3 });
  });

  it('with the rest compares a series with the results of all others', async () => {
    const request = { ...perHousehold, time: february, splits: ['isp'], compare: { to: 'rest' } };
    const [north, south] = await pointsOf(request);
    // f is in both.
    expect(north).to.include({ isp: 'North', metricValue: 75 });
    expect(north?.compared).to.include({ metricValue: 85, agentCount: 2 });
    expect(north?.difference).to.include({ metricValue: -10 });
    expect(north?.households).to.deep.equal({ both: 1, onlyHere: 1, onlyThere: 1 });
    expect(south?.difference).to.include({ metricValue: 10 });
    const p = (point: Numbers | undefined) => (point?.difference as Numbers).p;
    expect(p(south)).to.be.closeTo(p(north) as number, 1e-12);
    expect((north?.difference as Numbers).pAdjusted).to.be.closeTo(p(north) as number, 1e-12);
  });

  it('pairs the buckets of another time in their order', async () => {
    const time = { from: '2026-01-09', to: '2026-01-11' };
    const compare = { time: { from: '2025-12-10', to: '2025-12-12' } };
    const points = await pointsOf({ ...perHousehold, aggregation: 'daily', time, compare });
    // December has results on its first day, January on its second.
    expect(points.map(({ dtime }) => dtime)).to.deep.equal(['2026-01-09', '2026-01-10']);
    const [first, second] = points as readonly Record<string, Numbers>[];
    expect(first).to.include({ metricValue: null, agentCount: null });
    expect(first?.percentiles).to.include({ '50': null });
    expect(first?.compared).to.include({ dtime: '2025-12-10', metricValue: 74.75 });
    expect(second?.compared).to.include({ dtime: '2025-12-11', metricValue: null });
    for (const point of [first, second]) {
      expect(point?.difference).to.include({
        metricValue: null,
        p: null,
        reason: 'noComparedValue',
      });
    }
  });

  it('says why there is no test instead of giving 0', async () => {
    const reasonOf = async (request: object) =>
      (await pointOf({ ...perHousehold, ...request })).difference;
    expect(await reasonOf({ compare: { time: january } })).to.include({
      metricValue: 0,
      ci95: null,
      p: null,
      df: null,
      reason: 'noVariance',
    });
    const one = { filters: [{ id: 'agent', filterType: 'include', filterValues: ['a'] }] };
    expect(await reasonOf({ compare: one })).to.include({
      metricValue: -19,
      p: null,
      reason: 'fewHouseholds',
    });
    expect(await reasonOf({ minAgents: 5, compare: { time: december } })).to.include({
      metricValue: null,
      reason: 'suppressed',
    });
  });

  it('shows with a privacy floor no difference of a few households', async () => {
    // e is only in January.
    const few = await pointOf({ ...perHousehold, compare: { time: december } }, floored);
    expect(few).to.include({ metricValue: 81, suppressed: false });
    expect(few.compared).to.include({ metricValue: null, agentCount: null, suppressed: true });
    expect(few.difference).to.include({ metricValue: null, reason: 'suppressed' });
    expect(few.households).to.deep.equal({ both: null, onlyHere: null, onlyThere: null });
    expect(few.change).to.include({ joined: null, samePlan: null });
    const both = await pointOf(
      { ...perHousehold, compare: { time: december, agents: 'both' } },
      floored,
    );
    expect(both.difference).to.include({ metricValue: 7.75, reason: null });
    // Only b changed its package.
    expect(both.change).to.include({ joined: 0, samePlan: null, changedPlan: null });
    const { status } = await floored.post('/metric_data', {
      ...perHousehold,
      compare: { filters: [{ id: 'agent', filterType: 'exclude', filterValues: ['a'] }] },
    });
    expect(status).to.equal(403);
  });

  it('has a column for each number in CSV', async () => {
    const response = await fetch(`${url}/metric_data`, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json', accept: 'text/csv' },
      body: JSON.stringify({
        ...perHousehold,
        aggregation: 'monthly',
        compare: { time: december },
      }),
    });
    const [names = [], row = []] = parseCsv(await response.text());
    const columns = Object.fromEntries(row.map((value, i) => [names[i] ?? '', value]));
    expect(columns).to.include({
      dtime: '2026-01-01',
      metricValue: '81',
      comparedMetricValue: '74.75',
      comparedP50: '73',
      comparedDtime: '2025-12-01',
      differenceMetricValue: '6.25',
      differenceReason: '',
      householdsOnlyHere: '1',
      changeSamePlan: '6.75',
    });
    expect(names).to.include.members([
      'differenceMedianCi95Low',
      'differencePAdjusted',
      'comparedCi95',
    ]);
  });

  it('is refused where it is not defined', async () => {
    const compare = { time: december };
    expect(await refused({ chartType: 'raw', household: undefined, compare })).to.have.property(
      'compare',
    );
    expect(await refused({ compare: {} })).to.have.property('compare');
    expect(await refused({ compare: { to: 'rest' } })).to.deep.equal({
      'compare[to]': ['Send splits too: the rest is all other series.'],
    });
    expect(
      await refused({ splits: ['isp'], compare: { to: 'rest', time: december } }),
    ).to.deep.equal({
      'compare[to]': ['Not with time.'],
    });
    expect(await refused({ coverage: {}, strata: 'isp', compare })).to.deep.equal({
      compare: ['Not with coverage.', 'Not with strata.'],
    });
    expect(await refused({ splits: ['isp'], compare: ofIsp('North') })).to.have.property(
      'compare[filters][0][id]',
    );
    expect(await refused({ aggregation: 'daily', compare: { time: february } })).to.deep.equal({
      compare: [
        'Buckets pair in their order: the request has 31, and the other time has 28. Send times with as many buckets.',
      ],
    });
    expect(
      await refused({
        aggregation: 'daily',
        compare: { time: { ...december, to: '2025-12-31 12:00' } },
      }),
    ).to.have.property('compare');
    expect(
      await refused({
        compare: { time: { from: 'x', to: 'now' }, window: { hours: [25] }, knownAt: '' },
      }),
    ).to.have.keys('compare[time][from]', 'compare[window][hours][0]', 'compare[knownAt]');
  });
});
