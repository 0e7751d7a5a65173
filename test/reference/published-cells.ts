import { cellColumns, cellPercentiles } from './metrics/cells.ts';
import type { MetricRequest } from './metric-request.ts';
import { partialBuckets } from './partial.ts';
import type { Panel, Row } from './panel.ts';
import { pointRows, seriesOf } from './point-rows.ts';
import type { Series } from './result.ts';
import { selectionOf } from './selection.ts';

/** The expected `data` of a request for published percentiles; null if it is refused. */
export function cellResponse(
  panel: Panel,
  request: MetricRequest,
  now: Date,
): readonly Series[] | null {
  const points = pointRows(selectionOf(panel, request, now).rows, request);
  if (points.some(({ rows }) => rows.length > 1)) return null;
  const partial = partialBuckets(panel, request, now);
  return seriesOf(
    points.map(({ splitValues, bucket, rows: [only] }) => ({
      ...bucket,
      ...splitValues,
      ...numbersOf(only!.row, request.metric),
      ...partial(request.aggregation!, bucket.dtime),
    })),
    request,
  );
}

function numbersOf({ columns }: Row, metric: string) {
  const { column, unit } = cellColumns[metric]!;
  const published = (name: string) => {
    const value = columns[`${column}_${name}`] ?? null;
    return value === null ? null : Number(value) / unit;
  };
  const unknown = ['stdDev', 'agentCount', 'unitCount', 'ci90', 'ci95', 'ci99'];
  return {
    ...Object.fromEntries(unknown.map((name) => [name, null])),
    metricValue: published('mean'),
    sampleCount: columns[`${column}_count`],
    min: published('min'),
    max: published('max'),
    median: published('p50'),
    percentiles: Object.fromEntries(
      cellPercentiles.map((percent) => [String(percent), published(`p${percent}`)]),
    ),
  };
}
