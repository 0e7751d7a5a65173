import { type Aggregation, bucketOf } from './bucket.ts';
import { localTimeMs } from './local-time.ts';
import type { MetricRequest } from './metric-request.ts';
import type { Panel } from './panel.ts';
import { rangeBoundsMs } from './time-range.ts';

const secondMs = 1000;
const hourMs = 3_600_000;

/**
 * Whether the range or the clock cuts the bucket in a time zone of the panel: whether one of its whole hours or its
 * first or last second is not in the range, or not over.
 */
export function partialBuckets(panel: Panel, request: MetricRequest, now: Date) {
  // The time zones of earlier knowledge are not looked up: then it is every time zone.
  const zones = request.knownAt === undefined ? zonesOf(panel) : ['Etc/GMT+12', 'Etc/GMT-14'];
  const coveredIn = zones.map((zone) => coveredSpans(request, zone, now));
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
    const isCut = coveredIn.some((spans) => moments.some((localMs) => !isInOne(spans, localMs)));
    return isCut ? { partial: true } : {};
  }
}

/** Both ends are inclusive. */
interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

function isInOne(spans: readonly Span[], ms: number): boolean {
  return spans.some(({ fromMs, toMs }) => fromMs <= ms && ms <= toMs);
}

/** The local times of a zone that the request asks for and that are over. */
function coveredSpans(request: MetricRequest, zone: string, now: Date): readonly Span[] {
  const nowMs = Math.floor(localTimeMs(now.getTime(), zone) / secondMs) * secondMs;
  return (request.times ?? [request.time]).map(({ from, to }) => {
    const local = { from: localBound(from, zone, now), to: localBound(to, zone, now) };
    const [fromMs, toMs] = rangeBoundsMs(local, now);
    return { fromMs: fromMs!, toMs: Math.min(toMs!, nowMs - secondMs) };
  });
}

/** A bound that is an instant is compared by the local time that clocks of the zone showed then. */
function localBound(text: string, zone: string, now: Date): string {
  const days = text === 'now' ? 0 : Number(/^([+-]\d+) days$/.exec(text)?.[1] ?? NaN);
  if (Number.isNaN(days)) return text;
  const local = localTimeMs(now.getTime() + days * 24 * hourMs, zone);
  return new Date(local).toISOString().slice(0, 19).replace('T', ' ');
}

/** Of all periods. Local time is UTC without a time zone. */
function zonesOf({ agents }: Panel): readonly string[] {
  const zones = agents.flatMap(({ history }) => history.map(({ timezone }) => timezone ?? 'UTC'));
  return zones.length === 0 ? ['UTC'] : [...new Set(zones)];
}
