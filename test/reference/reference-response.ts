import { type ComparedPanels, comparison } from './comparison.ts';
import { compareValues } from './compare-values.ts';
import { fieldValue } from './field-value.ts';
import { clockText } from './local-time.ts';
import { assumed, isMasked, known, maskedFact, type MaskedValues } from './masked.ts';
import type { MetricDefinition } from './metric-definition.ts';
import { metricDefinitions } from './metric-definitions.ts';
import type { MetricRequest } from './metric-request.ts';
import type { Panel } from './panel.ts';
import { overBuckets } from './over-buckets.ts';
import { partialBuckets } from './partial.ts';
import { compareLists, compareUnits, pointRows, seriesOf } from './point-rows.ts';
import { aboveFloor, withoutMinimum } from './privacy-floor.ts';
import { type Point, type Result, sampleOf, type Series } from './result.ts';
import { selectionOf } from './selection.ts';
import { statistics } from './statistics.ts';

/**
 * The expected `data` of POST /metric_data, computed row by row. `floor`: the caller's privacy floor. `compared`: the
 * panel as known for the other side of a comparison, if it has another `knownAt`.
 */
export function referenceResponse(
  panel: Panel,
  request: MetricRequest,
  now: Date,
  floor = 0,
  compared = panel,
): readonly Series[] {
  if (metricDefinitions[request.metric]!.masked === undefined) {
    return responseOf({ here: panel, there: compared }, request, now, floor);
  }
  const responseWith = (values: Parameters<typeof assumed>[1]) => {
    const panels = { here: assumed(panel, values), there: assumed(compared, values) };
    return responseOf(panels, request, now, floor);
  };
  if (request.chartType === 'raw') return responseWith('left out');
  return known(responseWith('lowest'), responseWith('highest'));
}

function responseOf(
  panels: ComparedPanels,
  request: MetricRequest,
  now: Date,
  floor: number,
): readonly Series[] {
  if (request.compare !== undefined) return comparison(panels, request, now, floor);
  const { here: panel } = panels;
  const splits = request.splits ?? [];
  const series =
    floor === 0
      ? seriesOfRequest(panel, request, now)
      : aboveFloor(seriesOfRequest(panel, withoutMinimum(request), now), request, floor);
  return overBuckets(series, request, splits);
}

/** Before the second aggregation. */
function seriesOfRequest(panel: Panel, request: MetricRequest, now: Date): readonly Series[] {
  const { metric, rows, report } = selectionOf(panel, request, now);
  if (request.chartType === 'raw' && rows.length > 0) {
    return [{ metricData: rawPoints(rows, metric, request.splits ?? []) }];
  }
  const { normalised, agent_agg: agentAgg = false } = request;
  const partial = partialBuckets(panel, request, now);
  const points = pointRows(rows, request).map(({ splitValues, bucket, rows: own }) => ({
    ...bucket,
    ...splitValues,
    ...(report?.statisticsOf(own) ??
      statistics(
        own.map((result) => sampleOf(result, metric)),
        { normalised, agentAgg },
      )),
    ...(report === undefined && maskedCountOf(own, metric, agentAgg)),
    ...partial(request.aggregation!, bucket.dtime),
  }));
  return seriesOf(points, request);
}

function maskedCountOf(
  results: readonly Result[],
  { masked }: MetricDefinition,
  isOfAgents: boolean,
) {
  if (masked === undefined) return {};
  const found = results.filter(({ row }) => isMasked(row.columns, masked));
  const agents = new Set(found.map(({ row }) => row.agent.agentId));
  const maskedCount = isOfAgents ? agents.size : found.length;
  return { maskedCount, [maskedFact]: { count: maskedCount, agents } satisfies MaskedValues };
}

function rawPoints(
  results: readonly Result[],
  metric: MetricDefinition,
  splits: readonly string[],
): readonly Point[] {
  const points = results.map(({ row, localMs }) => ({
    splitValues: splits.map((split) => fieldValue(row, split)),
    unit: fieldValue(row, 'unit'),
    point: {
      metricValue: metric.value(row.columns),
      dtime: clockText(localMs),
      agent: row.agent.agentId,
    },
  }));
  points.sort(
    (a, b) =>
      compareValues(a.point.dtime, b.point.dtime) ||
      compareValues(a.point.agent, b.point.agent) ||
      compareUnits(a.unit, b.unit) ||
      a.point.metricValue - b.point.metricValue ||
      compareLists(splits, a.splitValues, b.splitValues),
  );
  return points.map(({ splitValues, unit, point }) => ({
    ...Object.fromEntries(splits.map((split, i) => [split, splitValues[i]!])),
    ...point,
    unit: unit ?? '',
  }));
}
