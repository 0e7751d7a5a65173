import { expect } from 'chai';
import fc from 'fast-check';
import { firstDifference } from '../reference/first-difference.ts';
import { groupBy } from '../reference/group-by.ts';
import { metricDefinitions } from '../reference/metric-definitions.ts';
import type { MetricRequest } from '../reference/metric-request.ts';
import type { Point, Series } from '../reference/result.ts';
import { sum } from '../reference/weights.ts';
import { forAll } from './for-all.ts';
import { propertyPanel, propertyRuns, type StoredPanel } from './property-panel.ts';
import { reportArbitrary, type ReportFields } from './report-arbitrary.ts';

const runs = Math.ceil(propertyRuns / 30);

describe('reports are consistent:', function () {
  this.timeout(300_000 + runs * 6000);
  let stored: StoredPanel;
  before(async () => (stored = await propertyPanel()));

  it('a window and its inverse add up to all results', async () => {
    await assertForAll(async ({ window = { hours: [19, 20, 21, 22] }, ...request }) => {
      const plain = pooled(request);
      const post = (invert: boolean) => stored.post({ ...plain, window: { ...window, invert } });
      const [inside, outside] = [await post(false), await post(true)];
      const all = sums(await stored.post(plain), plain.metric);
      const both = sums([...inside, ...outside], plain.metric);
      expect(firstDifference(all, both)).to.equal(undefined);
    });
  });

  it('the weighted mean is the mean of the groups with the same weight, each by its weight and households', async () => {
    const weights = ['0.5', '1', '2'];
    // A household with two weights in the range would be in two groups.
    const constant = stored.panel.agents
      .filter(({ history }) => {
        const own = history.map(({ custom }) => String(custom.weight));
        return new Set(own.filter((weight) => weights.includes(weight))).size <= 1;
      })
      .map(({ agentId }) => agentId);
    await assertForAll(async ({ metric, prefilter, time, times, window, household }) => {
      // Results without a weight count in the bounds of a trim only if the request has no weight.
      const own = household?.statistic ?? 'mean';
      const statistic = own === 'trimmedMean' ? 'mean' : own;
      const request = {
        metric,
        chartType: 'aggregate' as const,
        // One point, because few households have a weight.
        aggregation: 'total' as const,
        normalised: false,
        prefilter,
        time,
        ...(times && { times }),
        ...(window && { window }),
        household: { statistic },
        filters: [
          { id: 'custom.weight', filterType: 'include' as const, filterValues: weights },
          { id: 'agent', filterType: 'include' as const, filterValues: constant },
        ],
      };
      const [weighted] = numbersOf(await stored.post({ ...request, weight: 'custom.weight' }));
      const groups = numbersOf(await stored.post({ ...request, splits: ['weight'] }));
      const households = sum(groups.map(({ agentCount }) => agentCount));
      // A short range may have results of one group only. Another request is made instead.
      fc.pre(weighted !== undefined && groups.length > 1);
      expect(weighted.agentCount).to.equal(households);
      const share = ({ agentCount, weight }: Numbers) => agentCount * weight;
      const expected =
        sum(groups.map((group) => share(group) * group.metricValue)) / sum(groups.map(share));
      expect(weighted.metricValue).to.be.closeTo(expected, 1e-9 * Math.abs(expected) + 1e-12);
    });
  });

  it('switchers as of each result are the default', async () => {
    await assertForAll(async ({ switchers: _, ...request }) => {
      const expected = await stored.post(request);
      const actual = await stored.post({ ...request, switchers: 'asOf' });
      expect(firstDifference(expected, actual)).to.equal(undefined);
    });
  });

  const trimmed = { statistic: 'mean', trim: [10, 60] } as const;
  const needOtherResults: readonly (readonly [string, ReportFields])[] = [
    ['switchers dropped', { switchers: 'drop' }],
    ['the longest stays', { switchers: 'longest' }],
    ['a trim over the window', { household: { ...trimmed, trimOver: 'window' } }],
    ['a trim over the range', { household: { ...trimmed, trimOver: 'range' } }],
  ];
  for (const [what, fields] of needOtherResults) {
    it(`a filter gives the numbers of a series of a split, with ${what}`, async () => {
      // All results of the panel, so that households have several stays.
      const times = [{ from: '2026-09-27', to: '2026-11-06' }];
      const field = fc.constantFrom('isp', 'package', 'country', 'tier', 'size', 'agent');
      const cases = fc.tuple(reportArbitrary(stored.panel, { ...fields, times }), field, fc.nat());
      const isSame = async ([{ compare: _, ...generated }, name, place]: readonly [
        MetricRequest,
        string,
        number,
      ]) => {
        const { splits = [], filters = [], coverage, ...rest } = generated;
        const request = {
          ...rest,
          ...(coverage && name !== 'agent' && { coverage }),
          filters,
          // Few series with many results each.
          splits: splits
            .filter((split) => split !== name && split !== `custom.${name}`)
            .slice(0, 1),
        };
        const split = pointsOf(
          await stored.post({ ...request, splits: [name, ...request.splits] }),
        ).filter((point) => point[name] !== null);
        fc.pre(split.length > 0);
        const value = split[place % split.length]![name];
        const filter = { id: name, filterType: 'include', filterValues: [String(value)] };
        const filtered = pointsOf(
          await stored.post({ ...request, filters: [...filters, filter] }),
        ).map((point) => ({ [name]: value, ...point }));
        const series = split.filter((point) => point[name] === value);
        expect(firstDifference(series, filtered), JSON.stringify({ request, filter })).to.equal(
          undefined,
        );
      };
      await forAll(cases, 2 * runs, isSame);
    });
  }

  /** Only fixed times, so that two requests select the same results. */
  async function assertForAll(relation: (request: MetricRequest) => Promise<void>): Promise<void> {
    const requests = reportArbitrary(stored.panel).filter(({ time, times = [time] }) =>
      times.every(({ from, to }) => [from, to].every((bound) => /^\d{4}-\d\d-\d\d/.test(bound))),
    );
    await forAll(requests, runs, relation);
  }
});

function pointsOf(data: readonly Series[]): readonly Point[] {
  return data.flatMap(({ metricData }) => metricData);
}

/** The request without fields of reports, as one series. */
function pooled(request: MetricRequest): MetricRequest {
  const { metric, aggregation, time, times, filters, prefilter } = request;
  return {
    metric,
    chartType: 'aggregate',
    aggregation: aggregation!,
    normalised: false,
    prefilter,
    time,
    ...(times && { times }),
    ...(filters && { filters }),
  };
}

/** By bucket: the number of results, and the sum of their values; a rate has no such sum. */
function sums(data: readonly Series[], metric: string): Readonly<Record<string, object>> {
  const { isRatio } = metricDefinitions[metric]!;
  const buckets = groupBy(pointsOf(data), ({ dtime, aggregatedNumber }) =>
    JSON.stringify(dtime ?? aggregatedNumber ?? 'total'),
  );
  return Object.fromEntries(
    [...buckets].map(([bucket, members]) => {
      const total = (count: (point: Point) => number) =>
        members.reduce((sum, point) => sum + count(point), 0);
      const sampleCount = total((point) => Number(point.sampleCount));
      const sum = total((point) => Number(point.sampleCount) * Number(point.metricValue));
      return [bucket, isRatio ? { sampleCount } : { sampleCount, sum }];
    }),
  );
}

interface Numbers {
  readonly metricValue: number;
  readonly agentCount: number;
  /** NaN in a response that is not split by it. */
  readonly weight: number;
}

function numbersOf(data: readonly Series[]): readonly Numbers[] {
  return data.flatMap(({ metricData }) =>
    metricData.map(({ metricValue, agentCount, weight }) => ({
      metricValue: Number(metricValue),
      agentCount: Number(agentCount),
      weight: Number(weight),
    })),
  );
}
