export interface Point {
  readonly atMs: number;
  readonly bytes: number;
}

const minuteMs = 60_000;

/**
 * Growth in bytes per ten minutes: the least-squares slope of the lowest value of each minute. The lowest
 * value is the one closest after a garbage collection.
 */
export function memorySlope(points: readonly Point[]): number {
  const lowest = new Map<number, number>();
  for (const { atMs, bytes } of points) {
    const minute = Math.floor((atMs - points[0]!.atMs) / minuteMs);
    lowest.set(minute, Math.min(lowest.get(minute) ?? Infinity, bytes));
  }
  return 10 * leastSquaresSlope([...lowest]);
}

function leastSquaresSlope(points: readonly (readonly [x: number, y: number])[]): number {
  const mean = (values: readonly number[]) =>
    values.reduce((sum, value) => sum + value, 0) / values.length;
  const meanX = mean(points.map(([x]) => x));
  const meanY = mean(points.map(([, y]) => y));
  const sum = (of: (x: number, y: number) => number) =>
    points.reduce((total, [x, y]) => total + of(x - meanX, y - meanY), 0);
  return sum((x, y) => x * y) / sum((x) => x * x);
}
