import { type Bucket, bucketOf } from './bucket.ts';
import { compareValues } from './compare-values.ts';
import { fieldValue } from './field-value.ts';
import { groupBy } from './group-by.ts';
import type { MetricRequest } from './metric-request.ts';
import type { Value } from './panel.ts';
import type { Point, Result, Series } from './result.ts';

/** Where a point is in a response. */
export interface Place {
  readonly splitValues: Readonly<Record<string, Value>>;
  readonly bucket: Bucket;
}

export interface PointRows extends Place {
  readonly rows: readonly Result[];
}

/** The rows of each point, in the order of the response. */
export function pointRows(rows: readonly Result[], request: MetricRequest): readonly PointRows[] {
  const placed = rows.map((row) => ({ row, place: placeOf(row, request) }));
  return [...groupBy(placed, ({ place }) => placeKey(place)).values()]
    .map((members) => ({ ...members[0]!.place, rows: members.map(({ row }) => row) }))
    .sort(byPlace(request));
}

function placeOf({ row, localMs }: Result, { splits = [], aggregation }: MetricRequest): Place {
  return {
    splitValues: Object.fromEntries(splits.map((split) => [split, fieldValue(row, split)])),
    bucket: bucketOf(aggregation!, localMs),
  };
}

export function placeKey({ splitValues, bucket }: Place): string {
  return JSON.stringify([splitValues, bucket]);
}

/** By series, and in a series by bucket. */
export function byPlace({ splits = [] }: MetricRequest): (a: Place, b: Place) => number {
  const valuesOf = ({ splitValues }: Place) => splits.map((split) => splitValues[split]!);
  return (a, b) =>
    compareLists(splits, valuesOf(a), valuesOf(b)) ||
    compareValues(a.bucket.dtime ?? '', b.bucket.dtime ?? '') ||
    (a.bucket.aggregatedNumber ?? 0) - (b.bucket.aggregatedNumber ?? 0);
}

export function compareLists(
  splits: readonly string[],
  a: readonly Value[],
  b: readonly Value[],
): number {
  const orders = splits.map((split, i) =>
    split === 'unit' ? compareUnits(a[i]!, b[i]!) : compareValues(a[i]!, b[i]!),
  );
  return orders.find((order) => order !== 0) ?? 0;
}

/** Units are numbers, written as text in responses: 974 sorts before 1048. */
export function compareUnits(a: Value, b: Value): number {
  return compareValues(a === null ? null : Number(a), b === null ? null : Number(b));
}

/** Points in the order of the response. Without splits there is one series, also without points. */
export function seriesOf(
  points: readonly Point[],
  { splits = [] }: MetricRequest,
): readonly Series[] {
  const groups = groupBy(points, (point) => JSON.stringify(splits.map((split) => point[split])));
  if (groups.size === 0 && splits.length === 0) return [{ metricData: [] }];
  return [...groups.values()].map((metricData) => ({ metricData }));
}
