import { expect } from 'chai';
import fc from 'fast-check';
import { parseCsv } from '../../../services/results/csv.ts';
import { assertDocumented } from '../../support/assert-documented.ts';
import { changeMetadata } from '../../support/change-metadata.ts';
import { DataApi } from '../../support/data-api.ts';
import { type NeutralField, neutralFields, withFields } from '../../support/neutral-fields.ts';
import { addDownloads } from '../../support/downloads.ts';
import { localStack } from '../../support/local-stack.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { addAgent, newTenant } from '../../support/tenant.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';

const day = 86_400;
const nowS = Math.floor(Date.now() / 1000);
const tested = new Date((nowS - 3 * day) * 1000).toISOString().slice(0, 10);

const households = [
  {
    agentId: 'a',
    custom: { advertised: 100, weight: 1, tier: 'gold', balance: -5 },
    downloads: [
      ['19:10', 80],
      ['20:10', 90],
      ['10:00', 50],
    ],
  },
  {
    agentId: 'b',
    custom: { advertised: 50, weight: 3, tier: 'silver' },
    downloads: [
      ['19:20', 25],
      ['22:59', 45],
    ],
  },
  { agentId: 'c', custom: { advertised: 'unlimited', weight: 1 }, downloads: [['21:00', 200]] },
] as const;

const peak = {
  ...plainRequest,
  aggregation: 'total',
  time: { from: '-7 days', to: 'now' },
  window: { hours: [19, 20, 21, 22] },
};
/** Student's t at 95 %, by degrees of freedom: households less one. */
const t95 = { 1: 12.706204736175, 2: 4.3026527297494 };
const relative = { ...peak, household: { statistic: 'mean' }, relativeTo: 'custom.advertised' };

describe('a report', () => {
  let url: string;
  let token: string;
  let api: DataApi;

  before(async () => {
    const { database, clickhouse, queryUrl } = await localStack();
    const tenant = await newTenant(database);
    [url, token] = [queryUrl, tenant.dataToken];
    api = new DataApi(url, token);
    for (const { agentId, custom, downloads } of households) {
      const agentKey = await addAgent(database, tenant.organisationId, { agentId });
      await changeMetadata(database, tenant, {
        agent: { agent_id: agentId },
        metadata: { timezone: 'UTC', custom },
        backdate_from: nowS - 10 * day,
      });
      await addDownloads(
        clickhouse,
        tenant.organisationId,
        downloads.map(([time, mbps]) => ({
          agentKey,
          agentId,
          mbps,
          dtime: `${tested} ${time}:00`,
        })),
      );
    }
    await waitUntilPublished(database, tenant.organisationId);
  });

  /** The only row of the response as CSV. */
  async function csvRowOf(body: object): Promise<Readonly<Record<string, string>>> {
    const response = await fetch(`${url}/metric_data`, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json', accept: 'text/csv' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    expect(response.status, text).to.equal(200);
    const [names = [], row = []] = parseCsv(text);
    return Object.fromEntries(row.map((value, i) => [names[i] ?? '', value]));
  }

  async function pointOf(request: object): Promise<Record<string, unknown>> {
    return (await api.points(request))[0] ?? {};
  }

  it('gives the mean of the households’ percentages, and counts what it left out', async () => {
    const point = await pointOf(relative);
    expect(point).to.include({
      metricValue: 77.5,
      agentCount: 2,
      sampleCount: 4,
      min: 70,
      max: 85,
    });
    expect(point.leftOut).to.deep.equal({ resultsWithoutField: 1, householdsWithoutValue: 0 });
    expect(point).not.to.have.property('suppressed');
  });

  it('counts households below a minimum, without those whose results are all left out', async () => {
    // a has two results in the window, b two, c one, without a number to divide by.
    const atLeast = (minResults: number) => ({ statistic: 'mean', minResults });
    const all = await pointOf({ ...peak, household: atLeast(2) });
    expect(all).to.include({ metricValue: 60, agentCount: 2 });
    expect(all.leftOut).to.include({ householdsBelowMinimum: 1 });
    const divided = await pointOf({ ...relative, household: atLeast(2) });
    expect(divided.leftOut).to.include({ resultsWithoutField: 1, householdsBelowMinimum: 0 });
    const none = await pointOf({ ...relative, household: atLeast(3) });
    expect(none).to.include({ metricValue: null, agentCount: 0 });
    expect(none.leftOut).to.include({ resultsWithoutField: 1, householdsBelowMinimum: 2 });
  });

  it('counts a household at a threshold, whatever the rounding error of its percentile', async () => {
    // The results of b are 25 and 45: 25 + 0.13 * 20 is 27.599999999999998 in doubles.
    const p13 = { ...peak, household: { statistic: 'p13' }, shares: [27.6] };
    expect((await pointOf(p13)).shares).to.deep.equal({ '27.6': 1 });
    expect(await pointOf(p13)).to.include({ min: 27.6 });
  });

  it('weights households, and gives shares, percentiles of percentiles and intervals', async () => {
    const weighted = await pointOf({ ...relative, weight: 'weight', shares: [80, 70, 85.1] });
    expect(weighted.metricValue).to.equal(73.75);
    expect(weighted.shares).to.deep.equal({ '70': 1, '80': 0.25, '85.1': 0 });
    expect(weighted).to.include({ effectiveHouseholds: 1.6, designEffect: 1.25 });
    const slow = await pointOf({ ...relative, weight: 'weight', sharesAtMost: [70, 84.9, 85] });
    expect(slow.sharesAtMost).to.deep.equal({ '70': 0.75, '84.9': 0.75, '85': 1 });
    // Of a 0.25 · (85 − 73.75), of b 0.75 · (70 − 73.75): √(2 / 1 · 2 · 2.8125²) is 5.625.
    expect(weighted.ci95).to.be.closeTo(t95[1] * 5.625, 1e-9);
    const point = await pointOf({
      ...relative,
      consistent: { households: 0, results: 100 },
      householdIntervals: true,
    });
    // The best result of a is 90 of 100, that of b 45 of 50.
    expect(point.consistent).to.equal(90);
    expect(point.ciHousehold95).to.be.closeTo(t95[1] * 7.5, 1e-9);
    expect(point.ci95).to.equal(point.ciHousehold95);
  });

  it('gives everything else with an inverted window', async () => {
    const point = await pointOf({ ...peak, window: { ...peak.window, invert: true } });
    expect(point).to.include({ metricValue: 50, sampleCount: 1 });
    const all = await pointOf({ ...peak, window: undefined });
    expect(all).to.include({ sampleCount: 6 });
  });

  it('suppresses a point with too few agents: without numbers, but not absent', async () => {
    const point = await pointOf({ ...relative, minAgents: 3, shares: [80] });
    expect(point).to.include({ suppressed: true, metricValue: null, agentCount: null });
    expect(point.percentiles).to.include({ '1': null, '50': null, '99': null });
    expect(point.shares).to.deep.equal({ '80': null });
    expect(point.leftOut).to.deep.equal({
      resultsWithoutField: null,
      householdsWithoutValue: null,
    });
    expect(await pointOf({ ...relative, minAgents: 2 })).to.include({
      suppressed: false,
      metricValue: 77.5,
    });
  });

  it('has a point without values where all results are left out', async () => {
    const hour = { ...peak, window: { hours: [21] }, relativeTo: 'advertised' };
    const leftOut = { resultsWithoutField: 1, householdsWithoutValue: 0 };
    for (const changes of [{}, { householdIntervals: true }, { normalised: true }]) {
      const point = await pointOf({ ...hour, ...changes });
      expect(point).to.include({ metricValue: null, sampleCount: 0, agentCount: 0 });
      expect(point.leftOut).to.deep.equal(leftOut);
    }
  });

  it('weights the results of a household for its intervals as for the mean, if normalised', async () => {
    // Blocks of two hours: a and b at 19, a and c at 20 to 21, b at 22. In each, agents share a weight of 1.
    const mean = (80 / 2 + 25 / 2 + 90 / 2 + 200 / 2 + 45) / 3;
    const [a, b, c] = [80 / 2 + 90 / 2 - mean, 25 / 2 + 45 - 1.5 * mean, 200 / 2 - mean / 2];
    const error = Math.sqrt((3 / 2) * (a ** 2 + b ** 2 + c ** 2)) / 3;
    const point = await pointOf({ ...peak, normalised: true, householdIntervals: true });
    expect(point.metricValue).to.be.closeTo(mean, 1e-9);
    expect(point.ciHousehold95).to.be.closeTo(t95[2] * error, 1e-9);
  });

  it('is a row of a CSV file, with a column for each share and reason', async () => {
    const values = await csvRowOf({ ...relative, shares: [80], minAgents: 1 });
    expect(values).to.include({
      metricValue: '77.5',
      share80: '0.5',
      resultsWithoutField: '1',
      suppressed: 'false',
    });
    expect(Number(values.ci95)).to.be.closeTo(t95[1] * 7.5, 1e-9);
  });

  it('has intervals of percentiles and shares, as lists in JSON and as columns in CSV', async () => {
    const fields = { ...relative, intervalsOf: [95], householdIntervals: true, shares: [60, 80] };
    const point = await pointOf(fields);
    // Two households: the interval of a share is wider than 0 to 1.
    expect(point.medianCi95).to.deep.equal([null, null]);
    expect(point.percentilesCi95).to.deep.equal({ '95': [null, null] });
    const shares = point.sharesCi95 as Readonly<Record<string, readonly [number, number]>>;
    // All reach 60: n is 2. One of two reaches 80, and n is p (1 - p) / SE² = 1.
    const bound = t95[1] ** 2;
    expect(shares['60']![0]).to.be.closeTo(2 / (2 + bound), 1e-9);
    expect(shares['60']![1]).to.be.closeTo(1, 1e-9);
    const half = (t95[1] * Math.sqrt(1 / 4 + bound / 4)) / (1 + bound);
    expect(shares['80']![0]).to.be.closeTo(1 / 2 - half, 1e-9);
    expect(shares['80']![1]).to.be.closeTo(1 / 2 + half, 1e-9);
    const row = await csvRowOf(fields);
    expect(row).to.include({ medianCi95Low: '', p95Ci95High: '' });
    expect(Number(row.share80Ci95Low)).to.be.closeTo(1 / 2 - half, 1e-9);
  });

  it('compares a household with those of its stratum', async () => {
    // a and b are alone in their strata: no degree of freedom is left.
    const apart = await pointOf({ ...relative, strata: 'custom.tier' });
    expect(apart).to.include({ ci95: null, singleStrata: 2 });
    const together = await pointOf({ ...relative, strata: 'country' });
    expect(together.singleStrata).to.equal(0);
    expect(together.ci95).to.be.closeTo(t95[1] * 7.5, 1e-9);
  });

  it('computes percentiles over households by another rule', async () => {
    const medians = async (fields: object) => {
      const rules = ['linear', 'lower', 'average'];
      const points = rules.map((percentileRule) => pointOf({ ...fields, percentileRule }));
      return (await Promise.all(points)).map(({ median }) => median);
    };
    // a has 85, b has 70 with three times the weight.
    expect(await medians(relative)).to.deep.equal([77.5, 70, 77.5]);
    expect(await medians({ ...relative, weight: 'weight' })).to.deep.equal([77.5, 70, 70]);
    const { consistent } = await pointOf({
      ...relative,
      percentileRule: 'lower',
      consistent: { households: 51, results: 50 },
    });
    expect(consistent).to.equal(85);
  });

  it('has a column of CSV for a share of a negative threshold, and of one with decimals', async () => {
    const values = await csvRowOf({ ...relative, shares: [-5, 77.5] });
    expect(values).to.include({ 'share-5': '1', 'share77.5': '0.5' });
    const atMost = await csvRowOf({ ...relative, sharesAtMost: [-5, 77.5] });
    expect(atMost).to.include({ 'shareAtMost-5': '0', 'shareAtMost77.5': '0.5' });
  });

  it('counts in CSV what is left out of a point without values, as in JSON', async () => {
    const hour = { ...peak, window: { hours: [21] }, relativeTo: 'advertised' };
    expect(await csvRowOf(hour)).to.include({
      sampleCount: '0',
      resultsWithoutField: '1',
      householdsWithoutValue: '0',
    });
  });

  it('follows a method by name, unless the request has a field of its own', async () => {
    const request = { ...peak, window: undefined, method: 'accc', relativeTo: 'advertised' };
    const { body } = await api.post('/metric_data/explain', request);
    const { method } = body.data as { method: { key: string; source: string; fields: object } };
    expect(method.key).to.equal('accc');
    expect(method.fields).to.deep.equal({
      window: { days: ['mon', 'tue', 'wed', 'thu', 'fri'], hours: [19, 20, 21, 22] },
      household: { statistic: 'mean', trim: [1, 99], trimOver: 'window' },
      relativeTo: { field: 'custom.advertised_download_mbps' },
    });
    // The day of the tests may be on a weekend.
    const window = { hours: [19, 20, 21, 22] };
    const point = await pointOf({ ...request, window, household: { statistic: 'mean' } });
    expect(point).to.include({ metricValue: 77.5, agentCount: 2 });
    // Both results of a and b lie outside their percentiles 1 and 99.
    const trimmed = await pointOf({ ...request, window, relativeTo: null });
    expect(trimmed).to.include({ metricValue: 200, agentCount: 1 });
    expect(trimmed.leftOut).to.include({ resultsTrimmed: 4 });
    expect(trimmed.leftOut).not.to.have.property('householdsBelowMinimum');
  });

  async function explained(request: object): Promise<unknown> {
    const { status, body } = await api.post('/metric_data/explain', request);
    expect(status, JSON.stringify([request, body])).to.equal(200);
    const { inlined, params } = body.data as { inlined: string; params: object };
    return { inlined, params, warnings: body.warnings };
  }

  const fixedTime = { time: { from: `${tested} 00:00`, to: `${tested} 23:59` } };
  const baseRequests = {
    'raw data': { ...peak, ...fixedTime, chartType: 'raw', aggregation: undefined },
    'plain data': { ...peak, ...fixedTime },
    'a report': {
      ...peak,
      ...fixedTime,
      household: { statistic: 'mean' },
      relativeTo: { field: 'custom.advertised' },
      shares: { thresholds: [80] },
      consistent: { households: 20, results: 20 },
      minAgents: 1,
    },
    'hours reduced to one': {
      ...peak,
      ...fixedTime,
      aggregation: 'hour_of_day',
      overBuckets: { atLeast: 30 },
    },
  };
  for (const [what, base] of Object.entries(baseRequests)) {
    it(`of ${what} is the same request with any field that is null or has its default`, async () => {
      const fields = neutralFields(base);
      expect(fields.map(({ path }) => path.join('.'))).to.include.members([
        'switchers',
        'coverage',
      ]);
      const [sql, first] = [await explained(base), await api.post('/metric_data', base)];
      expect(first.status).to.equal(200);
      const checkSql = async (chosen: readonly NeutralField[]) =>
        expect(await explained(withFields(base, chosen))).to.deep.equal(sql);
      const check = async (chosen: readonly NeutralField[]) => {
        await checkSql(chosen);
        const request = withFields(base, chosen);
        const { status, body } = await api.post('/metric_data', request);
        expect(body).to.deep.equal(first.body);
        const sent = { method: 'POST', path: '/metric_data', status, body };
        await assertDocumented('query.yaml', { ...sent, request: JSON.stringify(request) });
        const again = await fetch(`${url}/metric_data`, {
          method: 'POST',
          headers: {
            authorization: token,
            'content-type': 'application/json',
            'if-none-match': first.headers.get('etag') ?? '',
          },
          body: JSON.stringify(request),
        });
        expect(again.status, JSON.stringify(request)).to.equal(304);
      };
      await check(fields.filter(({ value }) => value === null));
      await check(fields.filter(({ value }) => value !== null));
      const someFields = fc.asyncProperty(fc.subarray([...fields]), async (chosen) => {
        await checkSql(chosen);
      });
      await fc.assert(someFields, { numRuns: 4 });
    });
  }

  it('has short forms, which mean the same as the objects of the contract', async () => {
    const household = { statistic: 'mean' };
    const hours = { aggregation: 'hour_of_day' };
    const forms: readonly (readonly [object, object])[] = [
      [{ relativeTo: 'advertised' }, { relativeTo: { field: 'advertised' } }],
      [
        { household, shares: [80, 70] },
        { household, shares: { thresholds: [80, 70] } },
      ],
      [
        { ...hours, overBuckets: 'busiest' },
        { ...hours, overBuckets: { busiest: true } },
      ],
      [{ coverage: false }, {}],
      [
        { filters: [{ id: 'tier', filterType: 1, filterValues: ['gold'] }] },
        { filters: [{ id: 'tier', filterType: 'include', filterValues: ['gold'] }] },
      ],
    ];
    for (const [short, object] of forms) {
      const base = { ...peak, ...fixedTime };
      expect(await explained({ ...base, ...short })).to.deep.equal(
        await explained({ ...base, ...object }),
      );
    }
    const byAgent = { ...peak, ...fixedTime, splits: ['tier'] };
    const coverageOf = async (coverage: unknown) =>
      (await pointOf({ ...byAgent, coverage })).coverage;
    expect(await coverageOf(true)).to.deep.equal(await coverageOf({ resultsPerHour: null }));
    expect(await coverageOf({})).to.deep.equal(await coverageOf({ resultsPerHour: 0.5 }));
  });

  it('with a method keeps its fields, unless the request has them, also with their default', async () => {
    const base = { ...peak, ...fixedTime, window: undefined, relativeTo: null };
    const fcc = { ...base, method: 'fcc-2018' };
    const longest = await explained(fcc);
    expect(await explained({ ...fcc, householdIntervals: false, coverage: null })).to.deep.equal(
      longest,
    );
    const asOf = await explained({ ...fcc, switchers: 'asOf' });
    expect(asOf).not.to.deep.equal(longest);
    expect(asOf).to.deep.equal(await explained({ ...fcc, switchers: null }));
  });

  const refused: readonly (readonly [string, object, string, RegExp])[] = [
    [
      'a field without numbers',
      { relativeTo: 'tier' },
      'relativeTo[field]',
      /No value of tier is a number/,
    ],
    ['negative weights', { weight: 'custom.balance' }, 'weight', /negative values, such as -5/],
    ['an unknown method', { method: 'fcc' }, 'method', /Unknown method/],
    ['an unknown field', { weight: 'weigth' }, 'weight', /Did you mean "weight"/],
  ];
  for (const [what, changes, path, message] of refused) {
    it(`is refused with ${what}`, async () => {
      const { status, body } = await api.post('/metric_data', { ...relative, ...changes });
      expect(status).to.equal(422);
      expect(body.errors?.[path]?.[0]).to.match(message);
    });
  }

  it('is explained, with its steps in the SQL', async () => {
    const { status, body } = await api.post('/metric_data/explain', relative);
    expect(status).to.equal(200);
    expect((body.data as { sql: string }).sql).to.include('per_household AS (');
  });
});
