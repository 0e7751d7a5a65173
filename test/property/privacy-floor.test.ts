import { expect } from 'chai';
import fc from 'fast-check';
import { firstDifference } from '../reference/first-difference.ts';
import { groupBy } from '../reference/group-by.ts';
import type { MetricRequest } from '../reference/metric-request.ts';
import { bucketOfPoint } from '../reference/privacy-floor.ts';
import type { Point, Series } from '../reference/result.ts';
import { localStack } from '../support/local-stack.ts';
import { newTenantToken } from '../support/tenant.ts';
import { compareWithReference } from './compare-with-reference.ts';
import { forAll } from './for-all.ts';
import { postMetricDataTo, type PostMetricData } from './post-metric-data.ts';
import { propertyPanel, reportRuns, type StoredPanel } from './property-panel.ts';
import { comparisonArbitrary, reportArbitrary } from './report-arbitrary.ts';
import { requestArbitrary } from './request-arbitrary.ts';

const runs = reportRuns;
const floors = [2, 3, 5] as const;

describe('a privacy floor, for random requests', function () {
  this.timeout(300_000 + runs * 9000);
  let stored: StoredPanel;
  const posts = new Map<number, PostMetricData>();

  before(async () => {
    stored = await propertyPanel();
    const { database, queryUrl } = await localStack();
    for (const floor of floors) {
      const token = await newTenantToken(database, stored.organisationId, 'data', {
        min_agents: floor,
      });
      posts.set(floor, postMetricDataTo(queryUrl, token));
    }
  });

  it(`suppresses what the reference implementation does, for ${runs} requests`, async () => {
    await assertForAll((request, floor, post) =>
      compareWithReference(stored.panel, post, request, floor),
    );
  });

  it('shows no small point, never hides one alone, and changes no other', async () => {
    await assertForAll(async (generated, floor, post) => {
      // Between fixed times, so that two requests select the same results.
      const time = { from: '2026-09-01', to: '2026-11-06' };
      const request = without({ ...generated, time }, 'times', 'overBuckets', 'compare');
      const least = Math.max(floor, request.minAgents ?? 0);
      const [plain, floored] = [await stored.post(request), await post(request)];
      const points = pointsOf(floored);
      const shown = points.filter(({ suppressed }) => suppressed === false);
      for (const { agentCount } of shown) expect(agentCount).to.be.at.least(least);
      for (const bucket of groupBy(points, bucketOfPoint).values()) {
        const hidden = bucket.filter(({ suppressed }) => suppressed === true);
        if (bucket.length > 1) expect(hidden).not.to.have.length(1);
        for (const point of hidden)
          expect(point).to.include({ sampleCount: null, agentCount: null });
      }
      expect(pointsOf(plain)).to.have.length(points.length);
      const isShown = points.map(({ suppressed }) => suppressed === false);
      const same = pointsOf(plain).filter((_, i) => isShown[i]);
      const expected = same.map((point, i) => masked(point, shown[i]!));
      expect(firstDifference(comparable(expected), comparable(shown))).to.equal(undefined);
    });
  });

  type Relation = (request: MetricRequest, floor: number, post: PostMetricData) => Promise<void>;

  async function assertForAll(relation: Relation): Promise<void> {
    const requests = fc
      .oneof(
        requestArbitrary(stored.panel),
        reportArbitrary(stored.panel),
        comparisonArbitrary(stored.panel),
      )
      .filter(({ chartType }) => chartType === 'aggregate')
      .map(allowed);
    const cases = fc.record({ request: requests, floor: fc.constantFrom(...floors) });
    await forAll(cases, runs, ({ request, floor }) => relation(request, floor, posts.get(floor)!));
  }
});

/** Without what a floor refuses. */
function allowed(request: MetricRequest): MetricRequest {
  const isAllowed = (name: string) => name !== 'agent' && name !== 'unit';
  const filtersOf = ({ filters = [] }: Pick<MetricRequest, 'filters'>) =>
    filters.filter(({ id }) => isAllowed(id));
  const { compare, ...others } = request;
  const splits = (request.splits ?? []).filter(isAllowed);
  const isPossible = compare !== undefined && (compare.to === undefined || splits.length > 0);
  return {
    ...others,
    splits,
    filters: filtersOf(request),
    ...(isPossible && {
      compare: { ...compare, ...(compare.filters && { filters: filtersOf(compare) }) },
    }),
  };
}

function without(request: MetricRequest, ...fields: readonly string[]): MetricRequest {
  const kept = Object.entries(request).filter(([name]) => !fields.includes(name));
  return Object.fromEntries(kept) as unknown as MetricRequest;
}

function pointsOf(series: readonly Series[]): readonly Point[] {
  return series.flatMap(({ metricData }) => metricData);
}

/** The numbers that are null in a shown point are null here too, also in objects and lists. */
function masked(point: Point, shown: Point): Point {
  return Object.fromEntries(
    Object.entries(point).map(([name, value]) => [name, maskedValue(value, shown[name])]),
  );
}

function maskedValue(value: unknown, shown: unknown): unknown {
  if (typeof value !== 'object' || value === null || shown === null) {
    return shown === null ? null : value;
  }
  return Array.isArray(value)
    ? value.map((item, i) => maskedValue(item, (shown as readonly unknown[])[i]))
    : masked(value as Point, shown as Point);
}

/** Without the column that a floor adds. */
function comparable(points: readonly Point[]): readonly Series[] {
  const metricData = points.map((point) =>
    Object.fromEntries(Object.entries(point).filter(([name]) => name !== 'suppressed')),
  );
  return [{ metricData }] as readonly Series[];
}
