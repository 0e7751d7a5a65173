import type { Agent, Panel, Period } from '../reference/panel.ts';
import type { RecordedPanel, RecordedPeriod } from '../reference/recorded-panel.ts';
import type { Random } from './random.ts';
import { randomHistory } from './random-history.ts';
import { panelFromUtcMs, panelToUtcMs } from './random-times.ts';

/**
 * A panel whose history was recorded in several changes: each replaces the history of about half of the agents
 * from a random second on. A change replaces a period that begins before that second by its first part.
 */
export function randomRecords(
  random: Random,
  panel: Panel,
  changesAtMs: readonly number[],
): RecordedPanel {
  const [firstMs, ...laterMs] = changesAtMs as [number, ...number[]];
  const records = new Map<Agent, readonly RecordedPeriod[]>();
  for (const agent of panel.agents) {
    let recorded = agent.history.map((period) => record(period, firstMs));
    for (const atMs of laterMs) {
      if (random.chance(0.5)) recorded = changed(random, recorded, atMs);
    }
    records.set(agent, recorded);
  }
  return { panel, records };
}

function changed(
  random: Random,
  recorded: readonly RecordedPeriod[],
  atMs: number,
): RecordedPeriod[] {
  const fromUtcS = random.between(panelFromUtcMs / 1000, panelToUtcMs / 1000);
  const timezone = random.pick(['Asia/Kathmandu', 'America/St_Johns', 'Europe/London', null]);
  const replaced = recorded.filter(
    ({ period, supersededAtMs }) =>
      supersededAtMs === null && (period.untilUtcS === null || period.untilUtcS > fromUtcS),
  );
  const firstParts = replaced.flatMap(({ period }) => clipped(period, null, fromUtcS));
  const fresh = randomHistory(random, timezone).flatMap((period) =>
    clipped(period, fromUtcS, null),
  );
  return [
    ...recorded.map((one) => (replaced.includes(one) ? { ...one, supersededAtMs: atMs } : one)),
    ...[...firstParts, ...fresh].map((period) => record(period, atMs)),
  ];
}

function record(period: Period, recordedAtMs: number): RecordedPeriod {
  return { period, recordedAtMs, supersededAtMs: null };
}

/** The part of a period between two seconds; null: no bound. */
function clipped(period: Period, fromUtcS: number | null, untilUtcS: number | null): Period[] {
  const from = Math.max(period.fromUtcS ?? -Infinity, fromUtcS ?? -Infinity);
  const until = Math.min(period.untilUtcS ?? Infinity, untilUtcS ?? Infinity);
  if (from >= until) return [];
  return [
    {
      ...period,
      fromUtcS: from === -Infinity ? null : from,
      untilUtcS: until === Infinity ? null : until,
    },
  ];
}
