import type { Agent } from '../reference/panel.ts';
import type { Random } from './random.ts';

const hourMs = 3_600_000;

/** From the last days of a quarter to the week after the last clock change. */
export const panelFromUtcMs = Date.UTC(2026, 8, 28);
export const panelToUtcMs = Date.UTC(2026, 10, 5);

/** Clock changes in the range: Lord Howe, London, St John's, New York. */
const clockChangesUtcMs = [
  Date.parse('2026-10-03T15:30:00Z'),
  Date.parse('2026-10-25T01:00:00Z'),
  Date.parse('2026-11-01T04:30:00Z'),
  Date.parse('2026-11-01T06:00:00Z'),
] as const;

/** Times of an agent's tests: many are close to clock changes and changes of its metadata. */
export function randomTimes(random: Random, agent: Agent, count: number): readonly number[] {
  return Array.from({ length: count }, () => randomTimeUtcMs(random, agent));
}

/**
 * Four days before and four after the change of an agent with `tiedHistory`. The earlier stay has more results, and is
 * the only one with results in the morning.
 */
export function tiedTimes({ history }: Agent): readonly number[] {
  const changeUtcMs = history[1]!.fromUtcS! * 1000;
  return [0, 1, 2, 3].flatMap((days) => [
    ...[5, 6, 7, 8, 19].map((hour) => changeUtcMs + ((days - 4) * 24 + hour) * hourMs),
    ...[17, 18, 19].map((hour) => changeUtcMs + (days * 24 + hour) * hourMs),
  ]);
}

function randomTimeUtcMs(random: Random, agent: Agent): number {
  const changesUtcMs = agent.history.flatMap(({ fromUtcS }) =>
    fromUtcS === null ? [] : [fromUtcS * 1000],
  );
  const [change, ...otherChanges] = changesUtcMs;
  if (change !== undefined && random.chance(0.15)) {
    return random.pick([change, ...otherChanges]) + random.pick([-1000, -1, 0, 999, 1000]);
  }
  if (random.chance(0.2)) {
    const near = random.pick(clockChangesUtcMs) + random.between(-3 * hourMs, 3 * hourMs);
    return random.chance(0.5) ? wholeHalfHour(near) : near;
  }
  if (random.chance(0.1)) return wholeHalfHour(random.between(panelFromUtcMs, panelToUtcMs));
  // One busy day, so that hourly buckets have several results.
  if (random.chance(0.3)) {
    return Date.UTC(2026, 9, 14) + random.between(0, 24 * hourMs);
  }
  return random.between(panelFromUtcMs, panelToUtcMs);
}

function wholeHalfHour(ms: number): number {
  return ms - (ms % (hourMs / 2));
}
