import { bucketOf } from './bucket.ts';
import { fieldValue } from './field-value.ts';
import { localTimeMs } from './local-time.ts';
import type { MetricDefinition } from './metric-definition.ts';
import type { MetricRequest, RequestFilter } from './metric-request.ts';
import type { Agent, Panel, Period, Row } from './panel.ts';
import type { Result } from './result.ts';
import { isWithin, rangeBoundsMs } from './time-range.ts';
import { distinct } from './weights.ts';
import { isInWindow } from './window.ts';

/** `coverage` of a point, from its results in the window, and any row of it. */
export type CoverageOf = (
  results: readonly Result[],
  row: Result,
) => Readonly<Record<'expected' | 'received' | 'agents' | 'reporting' | 'share', number | null>>;

/** As in services/catalog/test-tables.ts. */
const schedules: Readonly<Record<string, number>> = {
  httpget: 0.5,
  httppost: 0.5,
  netflix: 0.5,
  jitter: 1,
  latency: 1,
  network_usage: 1,
};

export function hasSchedule({ test }: MetricDefinition): boolean {
  return schedules[test] !== undefined;
}

/** What was expected is computed for each agent alone, moment by moment. */
export function coverageOf(
  panel: Panel,
  metric: MetricDefinition,
  request: MetricRequest,
  passes: (row: Row, filter: RequestFilter) => boolean,
  now: Date,
): CoverageOf {
  const points = new Map<string, { agents: Set<string>; seconds: number }>();
  const isPhone = metric.test.startsWith('mobile_');
  for (const agent of panel.agents.filter(({ kind }) => (kind === 'mobile') === isPhone)) {
    for (const period of agent.history.filter(hasMetadata)) {
      for (const { fromS, toS } of moments(period, request, now)) {
        const row = { agent, dtimeUtcMs: fromS * 1000, columns: {} };
        if (!(request.filters ?? []).every((filter) => passes(row, filter))) continue;
        const key = keyOf(row, localMsOf(period, fromS), request);
        const point = points.get(key) ?? { agents: new Set(), seconds: 0 };
        points.set(key, point);
        point.agents.add(agent.agentId);
        point.seconds += toS - fromS;
      }
    }
  }
  const { coverage } = request;
  const sent = typeof coverage === 'object' ? coverage.resultsPerHour : undefined;
  const perHour = sent ?? schedules[metric.test]!;
  return (results, { row, localMs }) => {
    const point = points.get(keyOf(row, localMs, request));
    const agents = point?.agents.size ?? 0;
    const reporting = distinct(results.map((result) => result.row.agent.agentId));
    return {
      expected: ((point?.seconds ?? 0) * perHour) / 3600,
      received: results.length,
      agents,
      reporting,
      share: agents === 0 ? null : reporting / agents,
    };
  };
}

function hasMetadata({ isp, timezone, custom }: Period): boolean {
  return isp !== null || timezone !== null || Object.keys(custom).length > 0;
}

/**
 * The parts of a period that are requested. Nothing changes within a part: they are cut at every quarter of an
 * hour and at the ends of the ranges, with each offset that the time zone has.
 */
function* moments(period: Period, request: MetricRequest, now: Date) {
  const ranges = request.times ?? [request.time];
  const bounds = ranges.flatMap((range) => rangeBoundsMs(range, now));
  const [earliest, latest] = [Math.min(...bounds) / 1000, Math.max(...bounds) / 1000];
  const nowS = Math.floor(now.getTime() / 1000);
  const fromS = Math.max(period.fromUtcS ?? 0, Math.floor(earliest) - 86_400);
  const endS = Math.min(period.untilUtcS ?? nowS, Math.ceil(latest) + 86_400, nowS);
  const cuts = new Set([fromS, endS]);
  const offsets = new Set([0]);
  for (let s = fromS - (fromS % 900); s < endS; s += 900) {
    cuts.add(s);
    offsets.add(localMsOf(period, s) / 1000 - s);
  }
  for (const ms of bounds) {
    for (const offset of offsets) {
      cuts.add(Math.floor(ms / 1000) - offset);
      // The last second is included.
      cuts.add(Math.floor(ms / 1000) + 1 - offset);
    }
  }
  const sorted = [...cuts].filter((s) => s >= fromS && s <= endS).sort((a, b) => a - b);
  for (const [i, start] of sorted.slice(0, -1).entries()) {
    const localMs = localMsOf(period, start);
    const isRequested = ranges.some((range) =>
      isWithin(range, { utcMs: start * 1000, localMs }, now),
    );
    if (isRequested && isInWindow(request.window, localMs)) {
      yield { fromS: start, toS: sorted[i + 1]! };
    }
  }
}

const localTimes = new Map<string, number>();

/** The offset of a quarter of an hour, which is slow to find, is kept. */
function localMsOf({ timezone }: Period, utcS: number): number {
  const quarter = utcS - (utcS % 900);
  const key = `${timezone ?? ''} ${quarter}`;
  const known = localTimes.get(key) ?? localTimeMs(quarter * 1000, timezone);
  localTimes.set(key, known);
  return known + (utcS - quarter) * 1000;
}

function keyOf(
  row: { readonly agent: Agent } & Row,
  localMs: number,
  { splits = [], aggregation }: MetricRequest,
): string {
  const values = splits.map((split) => fieldValue(row, split));
  return JSON.stringify([values, bucketOf(aggregation!, localMs)]);
}
