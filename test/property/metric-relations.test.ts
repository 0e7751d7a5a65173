import { expect } from 'chai';
import fc from 'fast-check';
import type { Series } from '../reference/result.ts';
import { firstDifference } from '../reference/first-difference.ts';
import { groupBy } from '../reference/group-by.ts';
import { metricDefinitions } from '../reference/metric-definitions.ts';
import type { MetricRequest } from '../reference/metric-request.ts';
import { testNames } from '../reference/panel.ts';
import { forAll } from './for-all.ts';
import {
  propertyPanel,
  propertyPanelIn,
  propertyRuns,
  propertySeed,
  type StoredPanel,
} from './property-panel.ts';
import { requestArbitrary } from './request-arbitrary.ts';

describe('metric data is consistent:', function () {
  this.timeout(300_000 + propertyRuns * 1000);
  let stored: StoredPanel;
  before(async () => (stored = await propertyPanel()));

  it('included and excluded results of a filter add up to all results', async () => {
    await assertForAll(async (request) => {
      const [filter, ...others] = request.filters ?? [];
      fc.pre(filter !== undefined);
      const all = await pooledCounts({ ...request, filters: others });
      const included = await pooledCounts({
        ...request,
        filters: [{ ...filter, filterType: 'include' }, ...others],
      });
      const excluded = await pooledCounts({
        ...request,
        filters: [{ ...filter, filterType: 'exclude' }, ...others],
      });
      expect(sumByBucket([...included, ...excluded])).to.deep.equal(sumByBucket(all));
    });
  });

  it('hourly counts add up to the daily count', async () => {
    await assertForAll(async (request) => {
      const hours = await pooledCounts({ ...request, aggregation: 'hourly' });
      const days = await pooledCounts({ ...request, aggregation: 'daily' });
      const byDay = hours.map(([hour, count]) => [hour.slice(0, 10), count] as const);
      expect(sumByBucket(byDay)).to.deep.equal(sumByBucket(days));
    });
  });

  it('the series of a split add up to the response without the split', async () => {
    await assertForAll(async (request) => {
      fc.pre((request.splits ?? []).length > 0);
      const split = await stored.post(request);
      const pooled = await stored.post({ ...request, splits: [] });
      expect(extremes(split)).to.deep.equal(extremes(pooled));
    });
  });

  it('the same request gives the same response in the same order', async () => {
    await assertForAll(async (request) => {
      const raw = { ...request, chartType: 'raw' as const, metric: 'httpget', filters: [] };
      const bySplit = { ...raw, splits: ['isp'] };
      expect(await stored.post(bySplit)).to.deep.equal(await stored.post(bySplit));
    });
  });

  it('another time zone only shifts the hours', async () => {
    // To store the results of every test takes longer than the requests.
    const tests = [0, 1, 2].map((i) => testNames[(propertySeed + 5 * i) % testNames.length]!);
    const greenwich = await propertyPanelIn('UTC', tests);
    // POSIX names invert the sign: this is five hours ahead of UTC.
    const ahead = await propertyPanelIn('Etc/GMT-5', tests);
    await assertForAll(async (generated) => {
      fc.pre(tests.includes(metricDefinitions[generated.metric]!.test));
      const request = { ...generated, aggregation: 'hourly' as const };
      const { from, to } = request.time;
      const later = { from: shifted(from, 5), to: shifted(to, 5) };
      const expected = shiftedPoints(await greenwich.post(request), 5);
      const moved = await ahead.post({ ...request, time: later });
      expect(firstDifference(expected, moved)).to.equal(undefined);
    });
  });

  /** Only plain aggregation between fixed times, so that two requests select the same results. */
  async function assertForAll(relation: (request: MetricRequest) => Promise<void>): Promise<void> {
    const requests = requestArbitrary(stored.panel)
      .filter(({ time }) => isClock(time.from) && isClock(time.to))
      .map((request) => ({
        ...request,
        chartType: 'aggregate' as const,
        normalised: false,
        agent_agg: false,
      }));
    await forAll(requests, Math.ceil(propertyRuns / 30), relation);
  }

  async function pooledCounts(request: MetricRequest): Promise<readonly Count[]> {
    const points = pointsOf(await stored.post({ ...request, splits: [] }));
    return points.map((point) => [bucketText(point), Number(point.sampleCount)]);
  }
});

/** True for `2026-10-25 01:30:00`, false for `2026-10-25` or `-30 days`. */
function isClock(time: string): boolean {
  return /^\d{4}-\d\d-\d\d \d/.test(time);
}

type Count = readonly [bucket: string, count: number];

function sumByBucket(counts: readonly Count[]): Record<string, number> {
  const groups = [...groupBy(counts, ([bucket]) => bucket)].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    groups.map(([bucket, group]) => [bucket, group.reduce((sum, [, count]) => sum + count, 0)]),
  );
}

/** Adds hours to `2026-10-25 01:30`, in the same format. */
function shifted(clock: string, hours: number): string {
  const utcMs = Date.parse(`${clock.replace(' ', 'T')}Z`);
  const later = new Date(utcMs + hours * 3_600_000).toISOString();
  return later.slice(0, clock.length).replace('T', clock.charAt(10));
}

function shiftedPoints(data: readonly Series[], hours: number): readonly Series[] {
  return data.map(({ metricData }) => ({
    metricData: metricData.map((point) => ({
      ...point,
      dtime: shifted(String(point.dtime), hours),
    })),
  }));
}

function extremes(data: readonly Series[]): Record<string, unknown> {
  const groups = [...groupBy(pointsOf(data), bucketText)].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    groups.map(([bucket, points]) => [
      bucket,
      {
        sampleCount: points.reduce((sum, point) => sum + Number(point.sampleCount), 0),
        min: Math.min(...points.map((point) => Number(point.min))),
        max: Math.max(...points.map((point) => Number(point.max))),
      },
    ]),
  );
}

function pointsOf(data: readonly Series[]): Series['metricData'] {
  return data.flatMap(({ metricData }) => metricData);
}

function bucketText({ dtime, aggregatedNumber }: Series['metricData'][number]): string {
  return JSON.stringify(dtime ?? aggregatedNumber ?? 'total').replaceAll('"', '');
}
