import type { Columns } from './metric-definition.ts';

type Figure = (columns: Columns) => number;
type Condition = (columns: Columns) => boolean;

export const column =
  (name: string): Figure =>
  (c) =>
    Number(c[name]);

/** Of bytes per second. */
export const mbps =
  (name: string): Figure =>
  (c) =>
    (Number(c[name]) * 8) / 1e6;

/** Of microseconds. */
export const milliseconds =
  (name: string): Figure =>
  (c) =>
    Number(c[name]) / 1000;

/** Of microseconds. */
export const seconds =
  (name: string): Figure =>
  (c) =>
    Number(c[name]) / 1e6;

export const all =
  (...conditions: readonly Condition[]): Condition =>
  (c) =>
    conditions.every((condition) => condition(c));

export const isPositiveUpTo =
  (name: string, limit: number): Condition =>
  (c) =>
    Number(c[name]) > 0 && Number(c[name]) <= limit;

const successes = column('successes');
const failures = column('failures');

export const succeeded: Condition = (c) => successes(c) > 0;
export const attempts: Figure = (c) => successes(c) + failures(c);
export const isMostlyAnswered: Condition = (c) => failures(c) <= successes(c);

/** A faster round trip than 0.05 ms met no line. */
export const leftTheHouse: Condition = (c) => Number(c.rtt_min) >= 50;

/** From 50 ms to 30 s, as the FCC has it. */
export const isPlausibleLoad: Condition = (c) =>
  Number(c.fetch_time) >= 50_000 && Number(c.fetch_time) <= 30_000_000;

/** What metrics share that are a number of each test that succeeded. */
export const valueOfSuccess = { isRatio: false, exists: succeeded, size: () => 1 } as const;

/** What metrics share that say how many of all attempts failed; 0 of 0 is no rate. */
export const failureRate = {
  isRatio: true,
  exists: (c: Columns) => attempts(c) > 0,
  value: (c: Columns) => (100 * failures(c)) / attempts(c),
  size: attempts,
} as const;
