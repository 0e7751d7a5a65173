import { median } from './quantile.ts';

export interface SideBySide {
  /** Medians, in milliseconds. */
  readonly firstMs: number;
  readonly secondMs: number;
  /** Median of the ratios per round, first to second: a slowdown of both in a round cancels out. */
  readonly ratio: number;
  /** Median of the differences per round, first minus second. */
  readonly addedMs: number;
}

type Work = () => Promise<unknown>;

/**
 * Times two functions alternately, so that other load on the machine slows both. The order alternates,
 * because the second finds warmer caches.
 */
export async function sideBySide(rounds: number, first: Work, second: Work): Promise<SideBySide> {
  await first();
  await second();
  const firstTimes: number[] = [];
  const secondTimes: number[] = [];
  for (let round = 0; round < rounds; round++) {
    if (round % 2 === 0) {
      firstTimes.push(await timedMs(first));
      secondTimes.push(await timedMs(second));
    } else {
      secondTimes.push(await timedMs(second));
      firstTimes.push(await timedMs(first));
    }
  }
  const perRound = (compare: (first: number, second: number) => number) =>
    median(firstTimes.map((time, round) => compare(time, secondTimes[round] ?? NaN)));
  return {
    firstMs: median(firstTimes),
    secondMs: median(secondTimes),
    ratio: perRound((first, second) => first / second),
    addedMs: perRound((first, second) => first - second),
  };
}

export async function timedMs(work: Work): Promise<number> {
  const startedMs = performance.now();
  await work();
  return performance.now() - startedMs;
}
