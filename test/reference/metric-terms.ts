import type { Columns } from './metric-definition.ts';

type Term = (columns: Columns) => number;
type Condition = (columns: Columns) => boolean;

export const column =
  (name: string): Term =>
  (c) =>
    Number(c[name]);

/** From bytes per second. */
export const mbps =
  (name: string): Term =>
  (c) =>
    (Number(c[name]) * 8) / 1e6;

/** From microseconds. */
export const milliseconds =
  (name: string): Term =>
  (c) =>
    Number(c[name]) / 1000;

/** From microseconds. */
export const seconds =
  (name: string): Term =>
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
export const attempts: Term = (c) => successes(c) + failures(c);
export const isMostlySuccessful: Condition = (c) => failures(c) <= successes(c);

/** A round trip below 0.05 ms did not leave the household's network. */
export const leftHomeNetwork: Condition = (c) => Number(c.rtt_min) >= 50;

/** From 50 ms to 30 s, the FCC's bounds. */
export const isPlausibleLoad: Condition = (c) =>
  Number(c.fetch_time) >= 50_000 && Number(c.fetch_time) <= 30_000_000;

/** Common part of metrics with one value per successful test. */
export const valueOfSuccess = { isRatio: false, exists: succeeded, size: () => 1 } as const;

/** Common part of metrics for the share of failed attempts, undefined without attempts. */
export const failureRate = {
  isRatio: true,
  exists: (c: Columns) => attempts(c) > 0,
  value: (c: Columns) => (100 * failures(c)) / attempts(c),
  size: attempts,
} as const;
