import { expect } from 'chai';
import fc from 'fast-check';
import type { Series } from '../reference/answer.ts';
import { firstDifference } from '../reference/first-difference.ts';
import { groupBy } from '../reference/group-by.ts';
import type { MetricRequest } from '../reference/metric-request.ts';
import {
  propertyPanel,
  propertyPanelIn,
  propertyRuns,
  propertySeed,
  type StoredPanel,
} from './property-panel.ts';
import { requestArbitrary } from './request-arbitrary.ts';

describe('metric data agrees with itself', function () {
  this.timeout(300_000 + propertyRuns * 1000);
  let stored: StoredPanel;
  before(async () => (stored = await propertyPanel()));

  it('what a filter keeps and what it drops add up to all', async () => {
    await holds(async (request) => {
      const [filter, ...others] = request.filters ?? [];
      fc.pre(filter !== undefined);
      const all = await pooledCounts({ ...request, filters: others });
      const kept = await pooledCounts({
        ...request,
        filters: [{ ...filter, filterType: 'include' }, ...others],
      });
      const dropped = await pooledCounts({
        ...request,
        filters: [{ ...filter, filterType: 'exclude' }, ...others],
      });
      expect(addedUp([...kept, ...dropped])).to.deep.equal(addedUp(all));
    });
  });

  it('the results of the hours of a day are those of the day', async () => {
    await holds(async (request) => {
      const hours = await pooledCounts({ ...request, aggregation: 'hourly' });
      const days = await pooledCounts({ ...request, aggregation: 'daily' });
      const byDay = hours.map(([hour, count]) => [hour.slice(0, 10), count] as const);
      expect(addedUp(byDay)).to.deep.equal(addedUp(days));
    });
  });

  it('the series of a split pool into the answer without it', async () => {
    await holds(async (request) => {
      fc.pre((request.splits ?? []).length > 0);
      const split = await stored.ask(request);
      const pooled = await stored.ask({ ...request, splits: [] });
      expect(extremes(split)).to.deep.equal(extremes(pooled));
    });
  });

  it('the same request gives the same answer in the same order', async () => {
    await holds(async (request) => {
      const raw = { ...request, chartType: 'raw' as const, metric: 'httpget', filters: [] };
      const asked = { ...raw, splits: ['isp'] };
      expect(await stored.ask(asked)).to.deep.equal(await stored.ask(asked));
    });
  });

  it('a shifted zone shifts the hours, and nothing else', async () => {
    const greenwich = await propertyPanelIn('UTC');
    // POSIX names are the wrong way round: this is five hours ahead of UTC.
    const ahead = await propertyPanelIn('Etc/GMT-5');
    await holds(async (asked) => {
      const request = { ...asked, aggregation: 'hourly' as const };
      const { from, to } = request.time;
      const later = { from: shifted(from, 5), to: shifted(to, 5) };
      const expected = shiftedPoints(await greenwich.ask(request), 5);
      const moved = await ahead.ask({ ...request, time: later });
      expect(firstDifference(expected, moved)).to.equal(undefined);
    });
  });

  /** Of plain aggregation, between fixed times, so that two requests mean the same results. */
  async function holds(relation: (request: MetricRequest) => Promise<void>): Promise<void> {
    const requests = requestArbitrary(stored.panel)
      .filter(({ time }) => isClock(time.from) && isClock(time.to))
      .map((request) => ({
        ...request,
        chartType: 'aggregate' as const,
        normalised: false,
        agent_agg: false,
      }));
    const numRuns = Math.ceil(propertyRuns / 30);
    await fc.assert(fc.asyncProperty(requests, relation), { numRuns, seed: propertySeed });
  }

  async function pooledCounts(request: MetricRequest): Promise<readonly Count[]> {
    const points = pointsOf(await stored.ask({ ...request, splits: [] }));
    return points.map((point) => [bucketText(point), Number(point.sampleCount)]);
  }
});

/** `2026-10-25 01:30:00`, and not `last monday` or `-30 days`. */
function isClock(time: string): boolean {
  return /^\d{4}-/.test(time);
}

type Count = readonly [bucket: string, count: number];

function addedUp(counts: readonly Count[]): Record<string, number> {
  const groups = [...groupBy(counts, ([bucket]) => bucket)].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    groups.map(([bucket, group]) => [bucket, group.reduce((sum, [, count]) => sum + count, 0)]),
  );
}

/** `2026-10-25 01:30`, so many hours later; the form stays. */
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
