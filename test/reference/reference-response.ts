import { bucketOf } from './bucket.ts';
import { compareValues } from './compare-values.ts';
import { coverageOf } from './coverage.ts';
import { distinctResults } from './distinct-results.ts';
import { hasExclusions, isExcluded } from './exclusions.ts';
import { fieldValue, isOfMetadata } from './field-value.ts';
import { groupBy } from './group-by.ts';
import { clockText, localTimeMs } from './local-time.ts';
import { metadataAt } from './metadata-at.ts';
import type { MetricDefinition } from './metric-definition.ts';
import { metricDefinitions } from './metric-definitions.ts';
import type { MetricRequest, RequestFilter } from './metric-request.ts';
import type { Panel, Row, Value } from './panel.ts';
import { type Point, type Result, sampleOf, type Series } from './result.ts';
import { partialBuckets } from './partial.ts';
import { overBuckets } from './over-buckets.ts';
import { aboveFloor, withoutMinimum } from './privacy-floor.ts';
import { isReport, type Report, reportOf } from './report.ts';
import { statistics } from './statistics.ts';
import { isWithin } from './time-range.ts';
import { isInWindow } from './window.ts';

/** The expected `data` of POST /metric_data, computed row by row. `floor`: the caller's privacy floor. */
export function referenceResponse(
  panel: Panel,
  request: MetricRequest,
  now: Date,
  floor = 0,
): readonly Series[] {
  const splits = request.splits ?? [];
  const series =
    floor === 0
      ? seriesOfRequest(panel, request, now)
      : aboveFloor(seriesOfRequest(panel, withoutMinimum(request), now), request, floor);
  return overBuckets(series, request, splits);
}

/** Before the second aggregation. */
function seriesOfRequest(panel: Panel, request: MetricRequest, now: Date): readonly Series[] {
  const metric = metricDefinitions[request.metric]!;
  const { filters = [] } = request;
  const isBlank = ({ columns }: Row) => !metric.exists(columns);
  const rows = distinctResults(metric.test, panel.rows[metric.test])
    .filter(({ columns }) => metric.concerns?.(columns) ?? true)
    .filter((row) => isBlank(row) || !request.prefilter || metric.isPlausible(row.columns))
    .filter((row) => filters.every((filter) => isOfMetadata(row, filter.id) || passes(row, filter)))
    .map((row) => ({ row, localMs: localMsOf(row) }))
    .filter(({ row, localMs }) =>
      (request.times ?? [request.time]).some((range) =>
        isWithin(range, { utcMs: row.dtimeUtcMs, localMs }, now),
      ),
    );
  const found = rows.filter(({ row }) => !isBlank(row));
  // Stays and bounds of trims are of all results of a household, whatever its metadata.
  const results = (isReport(request) ? rows : found)
    .filter(({ row }) => filters.every((filter) => passes(row, filter)))
    .filter(({ localMs }) => isInWindow(request.window, localMs))
    // A report counts them.
    .filter(({ row }) => isReport(request) || !isExcluded(row, metric));
  const coverage =
    request.coverage === undefined ? undefined : coverageOf(panel, metric, request, passes, now);
  const report = isReport(request)
    ? reportOf(found, metric, { ...request, countsExcluded: hasExclusions(panel) }, coverage)
    : undefined;
  const splits = request.splits ?? [];
  if (results.length === 0) return splits.length === 0 ? [{ metricData: [] }] : [];
  if (request.chartType === 'raw') return [{ metricData: rawPoints(results, metric, splits) }];
  const partial = partialBuckets(panel, request, now);
  return seriesOf(results, splits).map(({ splitValues, members }) => ({
    metricData: aggregatedPoints(members, metric, request, splitValues, report).map((point) => ({
      ...point,
      ...partial(request.aggregation!, point.dtime as string | undefined),
    })),
  }));
}

function passes(row: Row, { id, filterType, filterValues }: RequestFilter): boolean {
  const value = fieldValue(row, id);
  const isListed = value !== null && filterValues.includes(String(value));
  return ['include', 'inclusive', '1', 1].includes(filterType) ? isListed : !isListed;
}

function localMsOf({ agent, dtimeUtcMs }: Row): number {
  return localTimeMs(dtimeUtcMs, metadataAt(agent, dtimeUtcMs)?.timezone ?? null);
}

interface SeriesResults {
  readonly splitValues: Readonly<Record<string, Value>>;
  readonly members: readonly Result[];
}

function seriesOf(results: readonly Result[], splits: readonly string[]): SeriesResults[] {
  const valuesOf = ({ row }: Result) => splits.map((split) => fieldValue(row, split));
  const groups = groupBy(results, (result) => JSON.stringify(valuesOf(result)));
  return [...groups.values()]
    .map((members) => ({ values: valuesOf(members[0]!), members }))
    .sort((a, b) => compareLists(splits, a.values, b.values))
    .map(({ values, members }) => ({
      splitValues: Object.fromEntries(splits.map((split, i) => [split, values[i]!])),
      members,
    }));
}

function compareLists(splits: readonly string[], a: readonly Value[], b: readonly Value[]): number {
  const orders = splits.map((split, i) =>
    split === 'unit' ? compareUnits(a[i]!, b[i]!) : compareValues(a[i]!, b[i]!),
  );
  return orders.find((order) => order !== 0) ?? 0;
}

/** Units are numbers, written as text in responses: 974 sorts before 1048. */
function compareUnits(a: Value, b: Value): number {
  return compareValues(a === null ? null : Number(a), b === null ? null : Number(b));
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

function aggregatedPoints(
  results: readonly Result[],
  metric: MetricDefinition,
  request: MetricRequest,
  splitValues: Point,
  report: Report | undefined,
): readonly Point[] {
  const aggregation = request.aggregation!;
  const buckets = groupBy(results, ({ localMs }) => JSON.stringify(bucketOf(aggregation, localMs)));
  return [...buckets.values()]
    .map((members) => ({ bucket: bucketOf(aggregation, members[0]!.localMs), members }))
    .sort(
      (a, b) =>
        compareValues(a.bucket.dtime ?? '', b.bucket.dtime ?? '') ||
        (a.bucket.aggregatedNumber ?? 0) - (b.bucket.aggregatedNumber ?? 0),
    )
    .map(({ bucket, members }) => ({
      ...bucket,
      ...splitValues,
      ...(report?.statisticsOf(members) ??
        statistics(
          members.map((member) => sampleOf(member, metric)),
          { normalised: request.normalised, agentAgg: request.agent_agg ?? false },
        )),
    }));
}
