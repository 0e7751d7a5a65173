import type { Row } from '../reference/panel.ts';
import type { Random } from './random.ts';

export type Columns = Row['columns'];

/** A number in the usual range, or sometimes one on or next to a bound of a prefilter. */
export function randomNumber(
  random: Random,
  [lowest, highest]: readonly [number, number],
  bounds: readonly [number, ...number[]],
): number {
  return random.chance(0.2)
    ? random.pick(bounds) + random.pick([-1, 0, 1])
    : random.between(lowest, highest);
}

export function server(random: Random): Columns {
  const [target, target_group] = random.pick([
    ['n1.example.net', 'onnet'],
    ['n2.example.net', 'onnet'],
    ['Offnet.example.org', 'offnet'],
    ['old.example.org', ''],
  ]);
  return { target, target_group, ip_version: random.pick([4, 4, 6]) };
}

export function outcome(random: Random): Columns {
  return random.chance(0.07) ? { successes: 0, failures: 1 } : { successes: 1, failures: 0 };
}

export function bytesPerSecond(random: Random, fastest: number): number {
  // Few different values, so that some results are equal.
  return random.chance(0.2)
    ? 1_250_000
    : randomNumber(random, [100_000, 120_000_000], [0, fastest]);
}

/** Usually plausible counts, sometimes no attempts, sometimes around the limit of 1,000. */
export function attempts(random: Random, usual: Columns): Columns {
  if (random.chance(0.05)) return { successes: 0, failures: 0 };
  if (random.chance(0.9)) return usual;
  const failures = random.between(0, 3);
  return { successes: 1000 + random.pick([-1, 0, 1]) - failures, failures };
}

export function roundTrips(random: Random): Columns {
  const fastest = randomNumber(random, [4000, 40_000], [50]);
  return {
    rtt_min: fastest,
    rtt_avg: fastest + random.between(0, 9000),
    rtt_max: fastest + randomNumber(random, [10_000, 20_000], [300_000]),
  };
}

/** A few packets: sometimes about half of them are lost, sometimes all, sometimes none was sent. */
export function burst(random: Random): Columns {
  if (random.chance(0.07)) return { successes: 0, failures: random.pick([0, 5]) };
  const successes = random.between(3, 10);
  return { successes, failures: randomNumber(random, [0, 2], [successes]) };
}

export function pageLoad(random: Random): Columns {
  return { fetch_time: randomNumber(random, [300_000, 9_000_000], [50_000, 30_000_000]) };
}

/** Public data has no resolution, stored as 0. */
export function playback(random: Random): Columns {
  return {
    resolution: random.pick([0, 720, 1080, 2160]),
    // The column is unsigned, so the lower bound is 1 and not 0.
    bitrate: randomNumber(random, [200_000, 3_000_000], [1, 125_000_000]),
  };
}
