import { expect } from 'chai';
import { setFloor } from '../../../services/registry/organisations/organisations.ts';
import { DataApi } from '../../support/data-api.ts';
import { fetched, fileData } from '../../support/exported-file.ts';
import { addFloorPanel, areas, testedDay } from '../../support/floor-panel.ts';
import { localStack } from '../../support/local-stack.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { newTenant, newTenantToken, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

type Point = Readonly<Record<string, unknown>>;

const floor = 3;
const total = {
  ...plainRequest,
  aggregation: 'total',
  time: { from: `${testedDay} 00:00`, to: `${testedDay} 23:59` },
};
const byArea = { ...total, splits: ['area'] };
const raw = { ...total, chartType: 'raw', aggregation: undefined };
const filter = (id: string, filterType: string, ...filterValues: string[]) => ({
  filters: [{ id, filterType, filterValues }],
});

const stack = await localStack();

describe('a token with a privacy floor', () => {
  let tenant: Tenant;
  let floored: DataApi;
  let free: DataApi;
  let flooredToken: string;

  before(async () => {
    const { database, queryUrl } = stack;
    tenant = await newTenant(database);
    await addFloorPanel(stack, tenant);
    flooredToken = await tokenWith(floor);
    floored = new DataApi(queryUrl, flooredToken);
    free = new DataApi(queryUrl, tenant.dataToken);
  });

  const tokenWith = (minAgents: number) =>
    newTenantToken(stack.database, tenant.organisationId, 'data', { min_agents: minAgents });

  async function pointsOf(api: DataApi, request: object): Promise<readonly Point[]> {
    const { status, body } = await api.post('/metric_data', request);
    expect(status, JSON.stringify(body)).to.equal(200);
    const series = body.data as { metricData: Point[] }[];
    return series.flatMap(({ metricData }) => metricData);
  }

  /** Names of the areas with numbers. */
  async function shownAreas(changes: object, api = floored): Promise<readonly unknown[]> {
    const points = await pointsOf(api, { ...byArea, ...changes });
    expect(points.map(({ area }) => area).toSorted()).to.deep.equal(Object.keys(areas).toSorted());
    for (const { suppressed, metricValue } of points) {
      expect(metricValue === null).to.equal(suppressed);
    }
    return points.filter(({ suppressed }) => suppressed === false).map(({ area }) => area);
  }

  it('sees no point of fewer agents, and not the smallest other one of the bucket', async () => {
    // South has one agent. All areas less the others would be south, so west is suppressed too.
    expect(areas).to.deep.equal({ east: 4, north: 5, south: 1, west: 3 });
    expect(await shownAreas({})).to.deep.equal(['east', 'north']);
    const hidden = (await pointsOf(floored, byArea)).find(({ area }) => area === 'west');
    const names = ['sampleCount', 'agentCount', 'unitCount', 'stdDev', 'ci95', 'median', 'min'];
    for (const name of names) expect(hidden?.[name], name).to.equal(null);
    expect(hidden?.percentiles).to.include({ '1': null, '50': null, '99': null });
  });

  it('sees the other points as they are, without the values of one household', async () => {
    const [east] = await pointsOf(free, byArea);
    const [shown] = await pointsOf(floored, byArea);
    expect(east).to.include({ area: 'east', agentCount: 4, min: 100, max: 103 });
    const percentiles = nulls(east?.percentiles as Point);
    const hidden = { min: null, max: null, median: null, percentiles };
    expect(shown).to.deep.equal({ ...east, ...hidden, suppressed: false });
  });

  it('suppresses more if the suppressed points have together too few agents', async () => {
    const api = new DataApi(stack.queryUrl, await tokenWith(5));
    // South, west and east have fewer than five, and together eight.
    expect(await shownAreas({}, api)).to.deep.equal(['north']);
    // South and west have together four.
    const points = await pointsOf(api, { ...byArea, ...filter('area', 'exclude', 'east') });
    expect(points.map(({ area, suppressed }) => [area, suppressed])).to.deep.equal([
      ['north', true],
      ['south', true],
      ['west', true],
    ]);
  });

  it('suppresses nothing else where no point is small, or there is only one', async () => {
    const others = filter('area', 'exclude', 'south');
    const points = await pointsOf(floored, { ...byArea, ...others });
    expect(points.map(({ suppressed }) => suppressed)).to.deep.equal([false, false, false]);
    const all = await pointsOf(floored, total);
    expect(all).to.have.length(1);
    expect(all[0]).to.include({ suppressed: false, agentCount: 13, min: null, max: null });
    const south = await pointsOf(floored, { ...total, ...filter('area', 'include', 'south') });
    expect(south).to.have.length(1);
    expect(south[0]).to.include({ suppressed: true, metricValue: null, agentCount: null });
  });

  it('decides in each bucket', async () => {
    const hours = { ...byArea, aggregation: 'hour_of_day' };
    const points = await pointsOf(floored, hours);
    const shown = (hour: number) =>
      points
        .filter(({ aggregatedNumber }) => aggregatedNumber === hour)
        .map(({ area, suppressed }) => [area, suppressed]);
    // At 12 only east and north have results.
    expect(shown(12)).to.deep.equal([
      ['east', false],
      ['north', false],
    ]);
    expect(shown(10)).to.deep.equal([
      ['east', false],
      ['north', false],
      ['south', true],
      ['west', true],
    ]);
    const busiest = await pointsOf(floored, { ...hours, overBuckets: 'busiest' });
    expect(busiest.map(({ area }) => area)).to.deep.equal(['east', 'north']);
    const share = await pointsOf(floored, { ...hours, overBuckets: { atLeast: 0 } });
    expect(share.map(({ bucketCount }) => bucketCount)).to.deep.equal([2, 2]);
  });

  it('can raise the minimum, and not lower it', async () => {
    expect(await shownAreas({ minAgents: 1 })).to.deep.equal(['east', 'north']);
    expect(await shownAreas({ minAgents: 5 })).to.deep.equal(['north']);
    expect(await shownAreas({ minAgents: 1, agent_agg: true })).to.deep.equal(['east', 'north']);
    expect(await shownAreas({ method: 'accc', window: null, relativeTo: null })).to.deep.equal([
      'east',
      'north',
    ]);
  });

  it('cannot single out a household by its weight', async () => {
    const household = { statistic: 'mean' };
    const weighted = (weight: string) => pointsOf(floored, { ...total, household, weight });
    expect((await weighted('mostly'))[0]).to.include({ suppressed: true, metricValue: null });
    expect((await weighted('equal'))[0]).to.include({ suppressed: false, agentCount: 13 });
    const north = { ...total, household, weight: 'equal', ...filter('area', 'include', 'west') };
    expect((await pointsOf(floored, north))[0]).to.include({ suppressed: false, agentCount: 3 });
  });

  it('cannot single out a household by the field that its value is divided by', async () => {
    const household = { statistic: 'mean' };
    const divisions = [
      { relativeTo: 'tiny' },
      { relativeTo: 'tiny', household },
      { relativeTo: { field: 'tiny', of: 'result' }, household },
      { relativeTo: 'tiny', weight: 'equal', household },
      // The product of both is a million for north-0.
      { relativeTo: 'tiny', weight: 'mostly', household },
    ];
    for (const division of divisions) {
      const [whole] = await pointsOf(free, { ...total, ...division });
      // Without the floor, the mean is the speed of north-0, 200 Mbit/s, times what the caller knows.
      expect(whole?.agentCount).to.equal(13);
      const [point] = await pointsOf(floored, { ...total, ...division });
      const sent = JSON.stringify(division);
      expect(point, sent).to.include({ suppressed: true, metricValue: null, agentCount: null });
    }
    const [equal] = await pointsOf(floored, { ...total, household, relativeTo: 'equal' });
    expect(equal).to.include({ suppressed: false, agentCount: 13 });
    expect(equal?.stdDev).to.be.a('number');
  });

  it('gets no deviation that is mostly that of one household', async () => {
    const household = { statistic: 'mean' };
    // 1 / field is 4 for north-0 and 1 for 12 others: 16² / 28 = 9.1 households, of the squares 28² / 268 = 2.9.
    for (const changes of [{ household }, { householdIntervals: true }, {}]) {
      const [point] = await pointsOf(floored, { ...total, ...changes, relativeTo: 'quarter' });
      expect(point).to.include({ suppressed: false, stdDev: null, ci95: null });
      expect(point?.metricValue).to.be.a('number');
      expect(point?.ciHousehold95 ?? null).to.equal(null);
    }
  });

  it('cannot compute a household with another weight from the deviation and the interval', async () => {
    const request = { ...total, household: { statistic: 'mean' }, weight: 'double' };
    const [whole] = await pointsOf(free, request);
    const [mean, stdDev, ci95] = ['metricValue', 'stdDev', 'ci95'].map((name) =>
      Number(whole?.[name]),
    );
    // 14 s² = D + 2 d², 14² e² · 12 / 13 = D + 4 d², with d the distance of the household of weight 2 from the mean.
    const error = ci95! / 2.178813;
    const distance = Math.sqrt((14 ** 2 * error ** 2 * (12 / 13) - 14 * stdDev! ** 2) / 2);
    expect(mean! - distance).to.be.closeTo(200, 0.01);
    const [point] = await pointsOf(floored, request);
    expect(point).to.include({ suppressed: false, stdDev: null, ci95 });
    const pooled = { ...total, householdIntervals: true };
    const [ofResults] = await pointsOf(floored, pooled);
    expect(ofResults).to.include({ suppressed: false, stdDev: null, ci90: null, ci95: null });
    expect(ofResults?.ciHousehold95).to.be.a('number');
  });

  it('gets intervals of percentiles and shares of enough households only', async () => {
    const asked = { ...total, householdIntervals: true, intervalsOf: [40] };
    const intervalsOf = async (client: DataApi, changes: object) => {
      const [point] = await pointsOf(client, { ...asked, ...changes });
      const { medianCi95, percentilesCi95, sharesCi95 } = point as Record<string, object>;
      return [
        medianCi95,
        (percentilesCi95 as Record<string, unknown>)['40'],
        (sharesCi95 as Record<string, unknown>)['150'],
      ] as unknown[][];
    };
    const none = [null, null];
    const household = { household: { statistic: 'mean' }, shares: [150] };
    const [median, percentile, share] = await intervalsOf(free, household);
    for (const interval of [median, share]) expect(interval).not.to.include(null);
    // 13 agents: the bounds of the median are at 0.19 and 0.81, the upper one of the 40th percentile is at 0.71.
    const ofAll = [none, [null, percentile![1]], share];
    expect(percentile![1]).to.be.a('number');
    expect(await intervalsOf(floored, household)).to.deep.equal(ofAll);
    const hidden = [
      { shares: { thresholds: [150], of: 'results' } },
      { ...household, relativeTo: 'quarter' },
      { ...household, strata: 'double' },
    ];
    for (const changes of hidden) {
      const [, , shown] = await intervalsOf(free, changes);
      expect(shown).not.to.include(null);
      expect(await intervalsOf(floored, changes)).to.deep.equal([none, none, none]);
    }
  });

  it('gets no percentile with fewer agents than the floor on one side', async () => {
    const request = { ...total, household: { statistic: 'mean' } };
    const shown = async (changes: object) => {
      const [point] = await pointsOf(floored, { ...request, ...changes });
      const percentiles = Object.entries(point?.percentiles as Point);
      return percentiles.filter(([, value]) => value !== null).map(([name]) => name);
    };
    // 13 agents: 13 · 0.25 = 3.25, 13 · 0.2 = 2.6.
    expect(await shown({})).to.deep.equal(['25', '50', '75']);
    expect(await shown({ agent_agg: true, household: undefined })).to.have.length(3);
    // 14² / 16 = 12.25 effective households: 12 · 0.25 = 3.
    expect(await shown({ weight: 'double' })).to.deep.equal(['25', '50', '75']);
    const consistent = async (households: number) =>
      (await pointsOf(floored, { ...request, consistent: { households, results: 50 } }))[0]
        ?.consistent;
    for (const percent of [0, 23, 77.5, 100]) expect(await consistent(percent)).to.equal(null);
    for (const percent of [23.1, 50]) expect(await consistent(percent)).to.be.a('number');
  });

  it('gets no percentile above which a few households have most of the weights', async () => {
    const request = { ...total, household: { statistic: 'mean' }, weight: 'pair' };
    const asked = { ...request, percentileRule: 'lower', intervalsOf: [50] };
    const numbers = { ...asked, consistent: { households: 50, results: 50 } };
    // 23² / 83 = 6.4 effective households. The eleven slower ones have 11 of 23, so the median is of the second fastest.
    expect((await pointsOf(free, numbers))[0]).to.include({ median: 401, consistent: 401 });
    const [point] = await pointsOf(floored, numbers);
    expect(point).to.include({ suppressed: false, agentCount: 13, median: null, consistent: null });
    expect(Object.values(point?.percentiles as Point).filter(Boolean)).to.deep.equal([]);
    const none = [null, null];
    expect(point?.percentilesCi95).to.deep.equal({ 50: none });
  });

  it('gets no share of a few households', async () => {
    const sharesOf = async (changes: object) =>
      (await pointsOf(floored, { ...total, ...changes }))[0]?.shares;
    // 4 households have 100 to 103 Mbit/s, 5 have 200 to 204, 1 has 300, 3 have 400 to 402.
    const household = { statistic: 'mean' };
    expect(
      await sharesOf({ household, shares: [100, 101, 150, 250, 350, 401, 999] }),
    ).to.deep.equal({
      100: null,
      101: null,
      150: 9 / 13,
      250: 4 / 13,
      350: null,
      401: null,
      999: null,
    });
    expect(await sharesOf({ household, shares: [150, 350], weight: 'double' })).to.deep.equal({
      150: 10 / 14,
      350: 3 / 14,
    });
    const ofResults = { thresholds: [100, 150, 350, 401], of: 'results' };
    expect(await sharesOf({ shares: ofResults })).to.deep.equal({
      100: null,
      150: 14 / 22,
      350: 3 / 22,
      401: null,
    });
  });

  it('gets no share at or above a threshold and at or below it that leave a few between', async () => {
    const numbersOf = async (changes: object) => {
      const [point] = await pointsOf(floored, {
        ...total,
        household: { statistic: 'mean' },
        ...changes,
      });
      return [point?.shares, point?.sharesAtMost];
    };
    // One household has 204 Mbit/s.
    expect(await numbersOf({ sharesAtMost: [204] })).to.deep.equal([undefined, { 204: 9 / 13 }]);
    expect(await numbersOf({ sharesAtMost: [204], shares: [204] })).to.deep.equal([
      { 204: 5 / 13 },
      { 204: null },
    ]);
    expect(await numbersOf({ sharesAtMost: [204], shares: [150] })).to.deep.equal([
      { 150: 9 / 13 },
      { 204: 9 / 13 },
    ]);
  });

  it('gets no count of the results of a few households that were left out', async () => {
    const request = { ...total, relativeTo: 'plan', coverage: { resultsPerHour: 1 } };
    for (const changes of [{}, { household: { statistic: 'mean' } }, { normalised: true }]) {
      const [whole] = await pointsOf(free, { ...request, ...changes });
      // north-0 has no plan, and two results.
      expect(whole?.leftOut).to.include({ resultsWithoutField: 2 });
      expect(whole?.coverage).to.include({ received: 22 });
      const [point] = await pointsOf(floored, { ...request, ...changes });
      expect(point).to.include({ suppressed: false, sampleCount: 20, agentCount: 12 });
      expect(point?.leftOut).to.deep.equal({
        resultsWithoutField: null,
        householdsWithoutValue: 0,
      });
      expect(point?.coverage).to.include({ received: null, agents: 13 });
    }
  });

  it('has the same points in CSV, NDJSON and exports, and for an earlier state of the metadata', async () => {
    const body = JSON.stringify(byArea);
    const headers = { authorization: flooredToken, 'content-type': 'application/json' };
    const text = async (accept: string) => {
      const url = `${stack.queryUrl}/metric_data`;
      const response = await fetch(url, { method: 'POST', headers: { ...headers, accept }, body });
      expect(response.status).to.equal(200);
      return response.text();
    };
    const rows = csvRows(await text('text/csv'));
    expect(rows.map(({ area, suppressed }) => [area, suppressed])).to.deep.equal([
      ['east', 'false'],
      ['north', 'false'],
      ['south', 'true'],
      ['west', 'true'],
    ]);
    expect(rows.map(({ agentCount }) => agentCount)).to.deep.equal(['4', '5', '', '']);
    expect(rows.map(({ p50, max }) => [p50 === '', max])).to.deep.equal([
      [true, ''],
      [true, ''],
      [true, ''],
      [true, ''],
    ]);
    const lines = (await text('application/x-ndjson')).trim().split('\n');
    const agents = lines.map((line) => (JSON.parse(line) as Point).agentCount);
    expect(agents).to.deep.equal([4, 5, null, null]);
    const file = fileData(await floored.post('/metric_data.csv', byArea));
    expect(csvRows((await fetched(file.url)).toString())).to.deep.equal(rows);
    const parquet = { ...total, splits: ['base'], format: 'parquet' };
    expect(fileData(await floored.post('/metric_data_download', parquet)).rows).to.equal(1);
    const knownAt = new Date().toISOString();
    expect(await shownAreas({ knownAt })).to.deep.equal(['east', 'north']);
    const explained = await floored.post('/metric_data/explain', byArea);
    expect((explained.body.data as { sql: string }).sql).to.include('floor_agents >= 3');
  });

  it('gets 403 for raw data, for test data, and for what identifies a household', async () => {
    const test = { test: 'httpget', date: { from: testedDay, to: testedDay } };
    const refused: readonly (readonly [string, object])[] = [
      ...[
        '/metric_data',
        '/metric_data/explain',
        '/metric_data.csv',
        '/metric_data_download',
      ].flatMap((path) =>
        [
          raw,
          { ...total, splits: ['agent'] },
          { ...total, splits: ['area', 'unit'] },
          { ...total, ...filter('agent', 'include', 'north-1') },
          { ...total, ...filter('unit', 'exclude', '1') },
        ].map((request) => [path, request] as const),
      ),
      ...['/test_data', '/test_data/explain', '/test_data.csv', '/test_data_download'].map(
        (path) => [path, test] as const,
      ),
    ];
    for (const [path, request] of refused) {
      const { status, body } = await floored.post(path, request);
      const sent = `${path} ${JSON.stringify(request)}`;
      expect({ status, code: body.code }, sent).to.deep.equal({
        status: 403,
        code: 'PRIVACY_FLOOR',
      });
      expect(body.message, sent).to.match(/^This token reads only points of at least 3 agents\. /);
      expect((await free.post(path, request)).status, sent).to.equal(200);
    }
  });

  it('is not offered agents and units, and cannot list them', async () => {
    const names = async (api: DataApi, path: string) =>
      ((await api.get(path)).body.data as { id: string }[]).map(({ id }) => id);
    for (const path of ['/splits', '/filters']) {
      expect(await names(free, path)).to.include.members(['agent', 'unit', 'area']);
      expect(await names(floored, path))
        .to.include('area')
        .and.not.include.members(['agent']);
      expect(await names(floored, path)).not.to.include('unit');
    }
    for (const field of ['agent', 'unit']) {
      const { status, body } = await floored.get(`/filters/${field}/values?search=1`);
      expect(status).to.equal(403);
      expect(body.code).to.equal('PRIVACY_FLOOR');
    }
    expect((await floored.get('/filters/area/values')).status).to.equal(200);
  });

  it('cannot read or withdraw an export that was made without its floor', async () => {
    const made = await free.post('/metric_data.csv', raw);
    const path = new URL(fileData(made).statusUrl).pathname;
    for (const method of ['GET', 'DELETE']) {
      const { status, body } = await floored.send(method, path, {});
      expect({ status, code: body.code }).to.deep.equal({ status: 403, code: 'PRIVACY_FLOOR' });
      expect(body.message).to.include('The export was made with a smaller minimum');
    }
    expect((await free.get(path)).status).to.equal(200);
    const own = fileData(await floored.post('/metric_data.csv', byArea));
    expect((await floored.get(new URL(own.statusUrl).pathname)).status).to.equal(200);
  });

  it('has the floor of its organisation if that is larger, and without it its own', async () => {
    const shownWith = async (minAgents: number | null, expected: readonly string[]) => {
      await setFloor(stack.database, tenant.name, minAgents);
      // The services remember a token for a few seconds.
      await waitUntil(async () => {
        const points = await pointsOf(floored, byArea);
        const shown = points.filter(({ suppressed }) => suppressed !== true);
        return shown.map(({ area }) => area).join() === expected.join();
      });
    };
    await shownWith(5, ['north']);
    await waitUntil(async () => (await free.post('/metric_data', raw)).status === 403);
    await shownWith(2, ['east', 'north']);
    await shownWith(null, ['east', 'north']);
    await waitUntil(async () => (await free.post('/metric_data', raw)).status === 200);
  });
});

function nulls(numbers: Point): Point {
  return Object.fromEntries(Object.keys(numbers).map((name) => [name, null]));
}

/** The fields of this test's files have no quotes that matter. */
function csvRows(text: string): readonly Readonly<Record<string, string>>[] {
  const [header = [], ...rows] = text
    .trim()
    .split(/\r?\n/)
    .map((line) => line.split(',').map((cell) => cell.replaceAll('"', '')));
  return rows.map((row) => Object.fromEntries(header.map((name, i) => [name, row[i] ?? ''])));
}
