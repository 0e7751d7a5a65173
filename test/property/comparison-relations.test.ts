import { expect } from 'chai';
import fc from 'fast-check';
import { firstDifference } from '../reference/first-difference.ts';
import type { MetricRequest, RequestComparison } from '../reference/metric-request.ts';
import type { Point } from '../reference/result.ts';
import { sum } from '../reference/weights.ts';
import { forAll } from './for-all.ts';
import { propertyPanel, propertyRuns, type StoredPanel } from './property-panel.ts';
import { comparisonArbitrary } from './report-arbitrary.ts';

const runs = Math.ceil(propertyRuns / 15);

describe('a comparison', function () {
  this.timeout(300_000 + runs * 12_000);
  let stored: StoredPanel;
  before(async () => (stored = await propertyPanel()));

  it('with itself finds no difference', async () => {
    await assertForAll(async (request) => {
      const points = await pairsOf({ ...request, compare: { filters: request.filters ?? [] } });
      for (const { compared, difference, households, ...own } of points) {
        if (own.suppressed === true) continue;
        const other = without(compared, 'dtime');
        const numbers = Object.fromEntries(Object.keys(other).map((name) => [name, own[name]]));
        expect(firstDifference(numbers, other)).to.equal(undefined);
        const { metricValue, p, reason } = difference as Point;
        // Both sides may add up the same results in another order.
        if (own.metricValue === null) expect(metricValue).to.equal(null);
        else expect(metricValue).to.be.closeTo(0, 1e-9 * Math.abs(Number(own.metricValue)));
        expect(p).to.equal(null);
        expect(reason).to.be.oneOf(['noVariance', 'fewHouseholds', 'noComparedValue']);
        expect(households).to.include({ onlyHere: 0, onlyThere: 0 });
      }
    });
  });

  it('has the opposite sign if the sides are swapped', async () => {
    const [day, night] = [{ hours: hoursFrom(7, 19) }, { hours: hoursFrom(7, 19), invert: true }];
    await assertForAll(async (request) => {
      const there = await pairsOf({ ...request, window: day, compare: { window: night } });
      const back = await pairsOf({ ...request, window: night, compare: { window: day } });
      expect(firstDifference(there.map(ofPair), back.map(swapped))).to.equal(undefined);
    });
  });

  it('with another time has parts that add up to the difference', async () => {
    await assertForAll(async (request, compare) => {
      fc.pre((compare.time ?? compare.times) !== undefined);
      for (const { metricValue, compared, change, difference, households } of await pairsOf({
        ...request,
        compare,
      })) {
        const { both } = households as Point;
        if (both === 0 || metricValue === null) continue;
        const parts = Object.values(change as Readonly<Record<string, number>>);
        const values = [metricValue, (compared as Point).metricValue].map((one) =>
          Math.abs(Number(one)),
        );
        const whole = (difference as Point).metricValue;
        expect(sum(parts)).to.be.closeTo(Number(whole), 1e-9 * Math.max(1, ...values));
      }
    });
  });

  it('of the same households is the same with `both` as with all', async () => {
    await assertForAll(async (request, compare) => {
      const all = await pairsOf({ ...request, compare: { ...compare, agents: 'all' } });
      const both = await pairsOf({ ...request, compare: { ...compare, agents: 'both' } });
      const isOfBoth = ({ households }: Point) => {
        const { onlyHere, onlyThere } = households as Point;
        return onlyHere === 0 && onlyThere === 0;
      };
      fc.pre(all.some(isOfBoth));
      for (const [i, point] of all.entries()) {
        if (!isOfBoth(point)) continue;
        const numbers = ({ difference, ...rest }: Point) => ({
          ...rest,
          // It depends on the other points of the answer.
          difference: without(difference, 'pAdjusted'),
        });
        expect(firstDifference(numbers(point), numbers(both[i]!))).to.equal(undefined);
      }
    });
  });

  async function pairsOf(request: MetricRequest): Promise<readonly Point[]> {
    return (await stored.post(request)).flatMap(({ metricData }) => metricData);
  }

  async function assertForAll(
    relation: (request: MetricRequest, compare: RequestComparison) => Promise<void>,
  ): Promise<void> {
    await forAll(comparisonArbitrary(stored.panel), runs, ({ compare, ...request }) =>
      relation(request, compare!),
    );
  }
});

function hoursFrom(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, i) => first + i);
}

function without(point: unknown, ...names: readonly string[]): Point {
  return Object.fromEntries(
    Object.entries(point as Point).filter(([name]) => !names.includes(name)),
  );
}

/** What both orders of the sides have in common: the percent are of another value. */
function ofPair({ difference, households }: Point): Point {
  return { difference: without(difference, 'percent', 'pAdjusted'), households };
}

/** The same with the sides swapped. */
function swapped(point: Point): Point {
  const { difference, households } = ofPair(point) as {
    readonly difference: Readonly<Record<'metricValue' | 'median', number | null>> & {
      readonly medianCi95: readonly (number | null)[];
    };
    readonly households: Readonly<Record<'both' | 'onlyHere' | 'onlyThere', number>>;
  };
  const { both, onlyHere, onlyThere } = households;
  const negative = (value: number | null) => (value === null ? null : 0 - value);
  return {
    difference: {
      ...difference,
      metricValue: negative(difference.metricValue),
      median: negative(difference.median),
      medianCi95: difference.medianCi95.map(negative).reverse(),
    },
    households: { both, onlyHere: onlyThere, onlyThere: onlyHere },
  };
}
