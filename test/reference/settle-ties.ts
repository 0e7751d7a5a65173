import { groupBy } from './group-by.ts';
import type { Series } from './answer.ts';

/**
 * Raw points of a series in an order of their own where they ended in the same second: the contract
 * promises the order of times, and that it stays the same, but not which of two at once comes first.
 */
export function settleTies(data: readonly Series[]): readonly Series[] {
  return data.map(({ metricData }) => ({
    metricData: consecutive(metricData).flatMap((group) =>
      group.toSorted((a, b) => (sortText(a) < sortText(b) ? -1 : 1)),
    ),
  }));
}

type Points = Series['metricData'];

function consecutive(points: Points): Points[] {
  let run = 0;
  const runs = points.map((point, i) => (point.dtime === points[i - 1]?.dtime ? run : ++run));
  return [...groupBy([...points.keys()], (i) => String(runs[i])).values()].map((indices) =>
    indices.map((i) => points[i]!),
  );
}

// In one order of names, since the two sides need not write them in the same one.
function sortText(point: Points[number]): string {
  return JSON.stringify(Object.entries(point).sort(([a], [b]) => (a < b ? -1 : 1)));
}
