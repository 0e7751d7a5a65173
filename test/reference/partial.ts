import { type Aggregation, bucketOf } from './bucket.ts';
import { localTimeMs } from './local-time.ts';
import type { MetricRequest } from './metric-request.ts';
import type { Panel } from './panel.ts';
import { isWithin } from './time-range.ts';

const secondMs = 1000;
const hourMs = 3_600_000;

/**
 * Whether the range or the clock cuts the bucket in a time zone of the panel: whether one of its whole hours or its
 * first or last second is not in the range, or not over.
 */
export function partialBuckets(panel: Panel, request: MetricRequest, now: Date) {
  // The time zones of earlier knowledge are not looked up: then it is every time zone.
  const zones = request.knownAt === undefined ? zonesOf(panel) : ['Etc/GMT+12', 'Etc/GMT-14'];
  const known = new Map<string, { readonly partial?: true }>();
  return (aggregation: Aggregation, dtime: string | undefined): { readonly partial?: true } => {
    if (dtime === undefined) return {};
    const found = known.get(dtime) ?? partialOf(aggregation, dtime);
    known.set(dtime, found);
    return found;
  };

  function partialOf(aggregation: Aggregation, dtime: string): { readonly partial?: true } {
    const startMs = Date.parse(dtime.length === 10 ? `${dtime}T00:00:00Z` : `${dtime}Z`);
    const moments: number[] = [];
    for (let ms = startMs; bucketOf(aggregation, ms).dtime === dtime; ms += hourMs) {
      moments.push(ms, ms + hourMs - secondMs);
    }
    const isCut = zones.some((zone) => moments.some((localMs) => !isCovered(localMs, zone)));
    return isCut ? { partial: true } : {};
  }

  function isCovered(localMs: number, zone: string): boolean {
    return (
      localMs < Math.floor(localTimeMs(now.getTime(), zone) / secondMs) * secondMs &&
      (request.times ?? [request.time]).some((range) => isLocalWithin(range, localMs, zone))
    );
  }

  /** A bound that is an instant is compared by the local time that clocks of the zone showed then. */
  function isLocalWithin(range: MetricRequest['time'], localMs: number, zone: string): boolean {
    const local = { from: localBound(range.from, zone), to: localBound(range.to, zone) };
    return isWithin(local, { utcMs: localMs, localMs }, now);
  }

  function localBound(text: string, zone: string): string {
    const days = text === 'now' ? 0 : Number(/^([+-]\d+) days$/.exec(text)?.[1] ?? NaN);
    if (Number.isNaN(days)) return text;
    const local = localTimeMs(now.getTime() + days * 24 * hourMs, zone);
    return new Date(local).toISOString().slice(0, 19).replace('T', ' ');
  }
}

/** Of all periods. Local time is UTC without a time zone. */
function zonesOf({ agents }: Panel): readonly string[] {
  const zones = agents.flatMap(({ history }) => history.map(({ timezone }) => timezone ?? 'UTC'));
  return zones.length === 0 ? ['UTC'] : [...new Set(zones)];
}
