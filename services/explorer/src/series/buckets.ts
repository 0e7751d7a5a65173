import type { TimeAggregation } from '../state/view-state.ts';

const hour = 3600;
const day = 24 * hour;

const stepSeconds: Readonly<Partial<Record<TimeAggregation, number>>> = {
  hourly: hour,
  two_hourly: 2 * hour,
  four_hourly: 4 * hour,
  six_hourly: 6 * hour,
  daily: day,
  weekly: 7 * day,
};

/**
 * Seconds of a local time, counted as if it were UTC: `2026-11-08` and `2026-11-08T13:00:00` are
 * clock readings of households in many zones, so no zone of ours may shift them.
 */
export function clockSeconds(localTime: string): number {
  return Date.parse(localTime.length === 10 ? localTime : `${localTime}Z`) / 1000;
}

/** Every bucket from the first to the last, those without results too: a gap is drawn as a gap. */
export function everyBucket(
  starts: Iterable<number>,
  aggregation: TimeAggregation,
): readonly number[] {
  const known = [...new Set(starts)].sort((a, b) => a - b);
  const last = known.at(-1);
  if (known[0] === undefined || last === undefined) return [];
  const all = new Set(known);
  for (let at = known[0]; at < last; at = nextBucket(at, aggregation)) all.add(at);
  return [...all].sort((a, b) => a - b);
}

function nextBucket(start: number, aggregation: TimeAggregation): number {
  const step = stepSeconds[aggregation];
  if (step !== undefined) return start + step;
  const date = new Date(start * 1000);
  const months = aggregation === 'quarterly' ? 3 : 1;
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + months, 1) / 1000;
}
