import { expect } from 'chai';
import type { MetricRequest } from '../../reference/metric-request.ts';
import { type Agent, type Panel, type Period, type Row, testNames } from '../../reference/panel.ts';
import { referenceResponse } from '../../reference/reference-response.ts';
import type { Point, Series } from '../../reference/result.ts';
import { sum } from '../../reference/weights.ts';

const now = new Date('2026-11-01T00:00:00Z');
const october = { from: '2026-10-01', to: '2026-10-02' };
const september = { from: '2026-09-29', to: '2026-09-30' };

/** A household changes from Northwave to Seaway at the beginning of October. */
const north = agentOf('north', 'Northwave');
const changed = agentOf('changed', 'Northwave', 'Seaway');
const sea = agentOf('sea', 'Seaway');
const far = agentOf('far', 'Seaway');

describe('a comparison, in the reference', () => {
  it('with the rest has a household on both sides that has results in two series', () => {
    const panel = panelOf([
      ['2026-09-30', { north: 10, changed: 20 }],
      ['2026-10-01', { changed: 40, sea: 60, far: 80 }],
    ]);
    const time = { from: '2026-09-01', to: '2026-10-31' };
    const points = pointsOf(panel, { time, splits: ['isp'], compare: { to: 'rest' } });
    const [ofNorth, ofSea] = points.map(partsOf);
    expect(ofNorth!.compared.metricValue).to.be.closeTo(60, 1e-12);
    expect(ofNorth!.compared).to.include({ agentCount: 3, sampleCount: 3 });
    expect(ofNorth!.households).to.deep.equal({ both: 1, onlyHere: 1, onlyThere: 2 });
    expect(ofSea!.households).to.deep.equal({ both: 1, onlyHere: 2, onlyThere: 1 });
    // NumPy and SciPy: √2 · 2½ + √1½ · 20 / 3 of the household on both sides, and so on.
    expect(ofNorth!.difference.metricValue).to.be.closeTo(-45, 1e-12);
    expect(ofNorth!.difference.p).to.be.closeTo(0.09218395849388354, 1e-12);
    expect(ofNorth!.difference.ci95).to.be.closeTo(63.24582809838284, 1e-9);
    expect(ofSea!.difference.metricValue).to.be.closeTo(45, 1e-12);
    expect(ofSea!.difference.p).to.be.closeTo(ofNorth!.difference.p!, 1e-15);
    expect(ofSea!.difference.pAdjusted).to.be.closeTo(ofSea!.difference.p!, 1e-15);
    expect(points[0]).not.to.have.property('change');
  });

  it('with another time explains the difference by the households that joined, left and changed', () => {
    const panel = panelOf([
      ['2026-09-30', { north: 10, changed: 20, sea: 60 }],
      ['2026-10-01', { changed: 50, sea: 70, far: 90 }],
    ]);
    const [point] = pointsOf(panel, { compare: { time: september } });
    const { change, difference, households } = partsOf(point!);
    expect(households).to.deep.equal({ both: 2, onlyHere: 1, onlyThere: 1 });
    // Of 70 the mean of the two stayers is 60, of 30 it was 40.
    const expected = { joined: 10, left: 10, samePlan: 5, changedPlan: 15, reweighted: 0 };
    for (const [name, part] of Object.entries(expected)) {
      expect(change[name], name).to.be.closeTo(part, 1e-12);
    }
    expect(sum(Object.values(change).map(Number))).to.be.closeTo(difference.metricValue!, 1e-12);
  });

  it('with another time explains by weights what changes with the number of results', () => {
    const panel = panelOf([
      ['2026-09-29', { north: 10 }],
      ['2026-09-30', { north: 10, sea: 60 }],
      ['2026-10-01', { north: 20, sea: 60 }],
      ['2026-10-02', { sea: 90 }],
    ]);
    const asked = { ...ofResults, compare: { time: september } };
    const [{ metricData }] = referenceResponse(panel, asked, now) as [Series];
    const { change, difference } = partsOf(metricData[0]!);
    // From weights ⅔ and ⅓ to ⅓ and ⅔: ½ · 10 + ½ · 15, and -⅓ · (15 − c) + ⅓ · (67½ − c).
    expect(change.samePlan).to.be.closeTo(12.5, 1e-12);
    expect(change.reweighted).to.be.closeTo(17.5, 1e-12);
    expect(change.joined).to.be.closeTo(0, 1e-12);
    expect(difference.metricValue).to.be.closeTo(170 / 3 - 80 / 3, 1e-12);
  });

  it('pairs the days of two times in order, also if one side has no results', () => {
    const panel = panelOf([
      ['2026-09-29', { north: 10, sea: 30 }],
      ['2026-10-02', { north: 40 }],
    ]);
    const aggregation = 'daily';
    const points = pointsOf(panel, { aggregation, minAgents: 1, compare: { time: september } });
    expect(points.map(({ dtime }) => dtime)).to.deep.equal(['2026-10-01', '2026-10-02']);
    const [first, second] = points.map(partsOf);
    expect(points[0]).to.include({ metricValue: null, agentCount: null, suppressed: false });
    expect(first!.compared).to.include({ dtime: '2026-09-29', metricValue: 20, suppressed: false });
    expect(first!.difference).to.include({ metricValue: null, reason: 'noComparedValue' });
    expect(first!.households).to.deep.equal({ both: 0, onlyHere: 0, onlyThere: 2 });
    expect(second!.compared).to.include({ dtime: '2026-09-30', metricValue: null });
    expect(second!.compared).to.include({ agentCount: null, suppressed: false });
    expect(Object.values(second!.change)).to.deep.equal([null, null, null, null, null]);
  });

  it('of agents on both sides leaves out all others before the statistics', () => {
    const panel = panelOf([
      ['2026-09-30', { north: 10, sea: 60 }],
      ['2026-10-01', { sea: 70, far: 90 }],
    ]);
    const [point] = pointsOf(panel, { compare: { time: september, agents: 'both' } });
    const { compared, households } = partsOf(point!);
    expect(point).to.include({ metricValue: 70, agentCount: 1, sampleCount: 1 });
    expect(compared).to.include({ metricValue: 60, agentCount: 1 });
    expect(households).to.deep.equal({ both: 1, onlyHere: 0, onlyThere: 0 });
  });

  it('with other filters and another window has the results that pass both on the other side', () => {
    const panel = panelOf([['2026-10-01', { north: 10, sea: 60, far: 80 }]]);
    const isp = (value: string) => [
      { id: 'isp', filterType: 'include', filterValues: [value] } as const,
    ];
    const filters = isp('Northwave');
    const [point] = pointsOf(panel, { filters, compare: { filters: isp('Seaway') } });
    expect(point).to.include({ metricValue: 10 });
    expect(partsOf(point!).compared).to.include({ metricValue: 70 });
    const nights = { hours: [0, 1, 2] };
    const [other] = pointsOf(panel, { filters, compare: { filters: [], window: nights } });
    expect(partsOf(other!).compared).to.include({ metricValue: null });
  });

  it('behind a floor hides the other side if few households are on one side only', () => {
    const panel = panelOf([
      ['2026-09-30', { north: 10, sea: 60, far: 80 }],
      ['2026-10-01', { north: 20, sea: 70 }],
    ]);
    const [point] = pointsOf(panel, { compare: { time: september } }, 2);
    const { compared, difference, households, change } = partsOf(point!);
    expect(point).to.include({ metricValue: 45, suppressed: false });
    expect(compared).to.include({ metricValue: null, agentCount: null, suppressed: true });
    expect(difference).to.include({ metricValue: null, p: null, reason: 'suppressed' });
    expect([...Object.values(households), change.joined]).to.deep.equal([null, null, null, null]);
  });

  it('behind a floor shows the difference if enough households are in each group', () => {
    const panel = panelOf([
      ['2026-09-30', { north: 10, changed: 30, sea: 60, far: 80 }],
      ['2026-10-01', { north: 20, changed: 30, sea: 70, far: 90 }],
    ]);
    const [point] = pointsOf(panel, { compare: { time: september } }, 2);
    const { compared, difference, change } = partsOf(point!);
    expect(compared).to.include({ metricValue: 45, min: null, suppressed: false });
    expect(difference).to.include({ metricValue: 7.5, reason: null });
    expect(difference.p).to.be.within(0, 1);
    // One household changed its plan.
    expect(change).to.include({ joined: 0, samePlan: null, changedPlan: null });
  });
});

const ofResults: MetricRequest = {
  metric: 'disconnectionDuration',
  chartType: 'aggregate',
  aggregation: 'total',
  normalised: false,
  prefilter: false,
  time: october,
};

/** Of a request over households. */
function pointsOf(panel: Panel, fields: Partial<MetricRequest>, floor = 0): readonly Point[] {
  const request = { ...ofResults, household: { statistic: 'mean' }, ...fields };
  const series = referenceResponse(panel, request, now, floor);
  return series.flatMap(({ metricData }) => metricData);
}

type Numbers = Readonly<Record<string, number | null>>;

function partsOf(point: Point) {
  return point as unknown as Readonly<
    Record<'compared' | 'difference' | 'households' | 'change', Numbers>
  >;
}

/** `after`: its ISP from October on. */
function agentOf(agentId: string, before: string, after = before): Agent {
  const octoberUtcS = Date.UTC(2026, 9, 1) / 1000;
  const period = (isp: string, fromUtcS: number | null, untilUtcS: number | null): Period => ({
    ...{ isp, fromUtcS, untilUtcS },
    ...{ packageName: null, timezone: null, custom: {} },
  });
  const history = [period(before, null, octoberUtcS), period(after, octoberUtcS, null)];
  return { agentId, unitId: null, kind: 'whitebox', base: '', country: null, history };
}

/** Seconds of a disconnection of each agent at noon of each day. */
function panelOf(days: readonly (readonly [string, Readonly<Record<string, number>>])[]): Panel {
  const agents = [north, changed, sea, far];
  const rows = days.flatMap(([day, values]) =>
    agents
      .filter(({ agentId }) => values[agentId] !== undefined)
      .map((agent): Row => {
        const columns = { target: 'a', ip_version: 4, duration: values[agent.agentId]! * 1e6 };
        return { agent, dtimeUtcMs: Date.parse(`${day}T12:00:00Z`), columns };
      }),
  );
  const none = Object.fromEntries(testNames.map((test) => [test, []]));
  return { agents, rows: { ...none, udpcloss: rows } as unknown as Panel['rows'] };
}
