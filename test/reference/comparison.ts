import type { Bucket } from './bucket.ts';
import { changeOf, noChange } from './change.ts';
import {
  adjusted,
  differenceOf,
  type Households,
  householdsOf,
  noDifference,
  noTest,
} from './difference.ts';
import { groupBy } from './group-by.ts';
import { woodruff } from './household-intervals.ts';
import { maskedFact, maskedIn } from './masked.ts';
import type { MetricRequest } from './metric-request.ts';
import { hasOtherTime, pairedBuckets } from './paired-buckets.ts';
import type { Panel } from './panel.ts';
import { partialBuckets } from './partial.ts';
import {
  byPlace,
  type Place,
  placeKey,
  pointRows,
  type PointRows,
  seriesOf,
} from './point-rows.ts';
import {
  aboveFloor,
  agentsOf,
  fewestAgents,
  hidesHouseholdError,
  hidesInterval,
  isFew,
  shownPoint,
  withoutMinimum,
} from './privacy-floor.ts';
import type { Report } from './report.ts';
import { comparedFacts, type ComparedFacts, nulls } from './report-point.ts';
import type { Point, Series } from './result.ts';
import { selectionOf } from './selection.ts';

/** The panel as it was known for each side. */
export interface ComparedPanels {
  readonly here: Panel;
  readonly there: Panel;
}

/** The expected `data` of a request with `compare`. */
export function comparison(
  panels: ComparedPanels,
  request: MetricRequest,
  now: Date,
  floor: number,
): readonly Series[] {
  const asked = floor === 0 ? request : withoutMinimum(request);
  const here = sideOf(panels.here, asked, now);
  const there = isRest(request) ? restOf(here) : sideOf(panels.there, otherRequest(asked), now);
  const pairs = pairsOf(here, there, now).map((pair) => withNumbers(pair, here, there));
  const partial = partialBuckets(panels.here, request, now);
  const shown = shownPairs(pairs, request, floor);
  const isClose = closePairs(shown, request, floor);
  const points = shown.map((pair) => ({
    ...comparedPoint(pair, isClose(pair), [here, there], request, floor),
    ...partial(request.aggregation!, pair.bucket.dtime),
  }));
  return seriesOf(withAdjusted(points), request);
}

/** The rows of the points of one side, and how their numbers are computed. */
interface Side {
  readonly request: MetricRequest;
  readonly report: Report;
  readonly points: readonly PointRows[];
}

function sideOf(panel: Panel, request: MetricRequest, now: Date): Side {
  const { rows, report } = selectionOf(panel, request, now);
  return { request, report: report!, points: pointRows(rows, request) };
}

/** The request with the fields of the other side. It keeps `compare`, which makes it a report. */
function otherRequest(request: MetricRequest): MetricRequest {
  const { time, times = time && [time], filters, window, knownAt } = request.compare!;
  return {
    ...request,
    ...(times && { times }),
    ...(filters && { filters }),
    ...(window && { window }),
    ...(knownAt && { knownAt }),
  };
}

function isRest({ compare }: MetricRequest): boolean {
  return compare?.to === 'rest';
}

/** For each series, in each bucket, the rows of all other series. */
function restOf({ points, ...side }: Side): Side {
  const seriesKey = ({ splitValues }: PointRows) => JSON.stringify(splitValues);
  const buckets = groupBy(points, ({ bucket }) => JSON.stringify(bucket));
  const rest = [...groupBy(points, seriesKey)].flatMap(([key, [first]]) =>
    [...buckets.values()].map((inBucket) => ({
      splitValues: first!.splitValues,
      bucket: inBucket[0]!.bucket,
      rows: inBucket.filter((point) => seriesKey(point) !== key).flatMap(({ rows }) => rows),
    })),
  );
  return { ...side, points: rest.filter(({ rows }) => rows.length > 0) };
}

/** Two points. A side without rows is absent. The place is that of here. */
interface Pair<T> extends Place {
  readonly bucketThere: Bucket;
  readonly here: T | undefined;
  readonly there: T | undefined;
}

function pairsOf(here: Side, there: Side, now: Date): readonly Pair<PointRows>[] {
  const { ofHere, ofThere } = pairedBuckets(here.request, there.request, now);
  const keyed = (points: readonly PointRows[]) =>
    new Map(points.map((point) => [placeKey(point), point]));
  const ours = keyed(here.points);
  const theirs = keyed(there.points.map((point) => ({ ...point, bucket: ofHere(point.bucket) })));
  return [...new Map([...ours, ...theirs])]
    .map(([key, { splitValues, bucket }]) => ({
      splitValues,
      bucket,
      bucketThere: ofThere(bucket),
      here: ours.get(key),
      there: theirs.get(key),
    }))
    .sort(byPlace(here.request));
}

/** The numbers of both points, of all households or of those with a value on both sides. */
function withNumbers(pair: Pair<PointRows>, here: Side, there: Side): Pair<Point> {
  const numbersOf = (agents?: ReadonlySet<string>) => ({
    here: pair.here && here.report.statisticsOf(pair.here.rows, agents),
    there: pair.there && there.report.statisticsOf(pair.there.rows, agents),
  });
  const all = numbersOf();
  const { both } = householdsOf(factsOf(all.here).items, factsOf(all.there).items);
  const kept = here.request.compare?.agents === 'both' ? numbersOf(new Set(both)) : all;
  const { splitValues, bucket, bucketThere } = pair;
  return {
    ...pair,
    here: kept.here && { ...bucket, ...splitValues, ...kept.here },
    there: kept.there && { ...bucketThere, ...splitValues, ...kept.there },
  };
}

function factsOf(point: Point | undefined): ComparedFacts {
  const { [comparedFacts]: facts } = (point ?? {}) as { readonly [comparedFacts]?: ComparedFacts };
  return facts ?? { items: [], planOf: new Map(), replicatesOf: undefined };
}

/** A pair with what the caller sees of it. */
interface ShownPair extends Pair<Point> {
  readonly shownHere: Point | undefined;
  readonly shownThere: Point | undefined;
}

/** Each side is suppressed as it would be alone. A rest is the complement of its series, and is suppressed with it. */
function shownPairs(
  pairs: readonly Pair<Point>[],
  request: MetricRequest,
  floor: number,
): readonly ShownPair[] {
  const ours = shownAlone(
    pairs.map(({ here }) => here),
    request,
    floor,
  );
  const theirs = isRest(request)
    ? pairs.map(({ there }, i) => {
        if (there === undefined || floor === 0) return there;
        const isSmall = agentsOf(there) < fewestAgents(request, floor);
        return shownPoint(there, isSmall || ours[i]?.suppressed === true, request, floor);
      })
    : shownAlone(
        pairs.map(({ there }) => there),
        request,
        floor,
      );
  return pairs.map((pair, i) => ({ ...pair, shownHere: ours[i], shownThere: theirs[i] }));
}

function shownAlone(
  points: readonly (Point | undefined)[],
  request: MetricRequest,
  floor: number,
): readonly (Point | undefined)[] {
  if (floor === 0) return points;
  const present = points.filter((point) => point !== undefined);
  const shown = aboveFloor([{ metricData: present }], request, floor)[0]!.metricData;
  return points.map((point) => point && shown[present.indexOf(point)]);
}

/**
 * Pairs whose sides differ by a few households, or share a few. With factors, sides that share some must be the same. If
 * series share households, all rests of a bucket are hidden with any of its points.
 */
function closePairs(
  pairs: readonly ShownPair[],
  request: MetricRequest,
  floor: number,
): (pair: ShownPair) => boolean {
  const hasFactors = (request.weight ?? request.relativeTo) !== undefined;
  const isClose = (pair: ShownPair) => {
    if (floor === 0 || pair.here === undefined || pair.there === undefined) return false;
    const { both, onlyHere, onlyThere } = householdsOfPair(pair);
    const isMixed = both.length > 0 && onlyHere.length + onlyThere.length > 0;
    const fewest = fewestAgents(request, floor);
    const groups = [both, onlyHere, onlyThere];
    return (hasFactors && isMixed) || groups.some(({ length }) => isFew(length, fewest));
  };
  if (floor === 0 || !isRest(request)) return isClose;
  const closeBuckets = [...groupBy(pairs, ({ bucket }) => JSON.stringify(bucket)).values()].filter(
    (inBucket) => {
      const agents = inBucket.map(
        (pair) => new Set(factsOf(pair.here).items.map((one) => one.agentId)),
      );
      const total = agents.reduce((count, { size }) => count + size, 0);
      const isHidden = inBucket.some(
        (pair) =>
          pair.shownHere?.suppressed === true ||
          pair.shownThere?.suppressed === true ||
          isClose(pair),
      );
      const all = Object.values(householdsOfPair(inBucket[0]!)).flat();
      return isHidden && total > all.length;
    },
  );
  return (pair) => isClose(pair) || closeBuckets.some((inBucket) => inBucket.includes(pair));
}

function householdsOfPair({ here, there }: Pair<Point>): Households<readonly string[]> {
  return householdsOf(factsOf(here).items, factsOf(there).items);
}

function comparedPoint(
  pair: ShownPair,
  isClose: boolean,
  [here, there]: readonly [Side, Side],
  request: MetricRequest,
  floor: number,
): Point {
  const { splitValues, bucket, bucketThere, shownHere, shownThere } = pair;
  const [ours, theirs] = [factsOf(pair.here), factsOf(pair.there)];
  const households = countsOf(householdsOf(ours.items, theirs.items));
  const fewest = floor === 0 ? 0 : fewestAgents(request, floor);
  const seen =
    isClose && pair.there !== undefined ? shownPoint(pair.there, true, request, floor) : shownThere;
  const isSuppressed = isClose || shownHere?.suppressed === true || seen?.suppressed === true;
  const hasValues = ours.items.length > 0 && theirs.items.length > 0;
  const isMaskedPair = maskedIn(pair.here).count + maskedIn(pair.there).count > 0;
  const { percentileRule } = request;
  const difference = isSuppressed
    ? noDifference('suppressed')
    : !hasValues
      ? noDifference('noComparedValue')
      : isMaskedPair
        ? noDifference('masked')
        : differenceOf(sampleOf(ours), sampleOf(theirs), percentileRule);
  const change =
    isSuppressed || isMaskedPair || !hasValues
      ? noChange
      : changeOf(ours, theirs, fewest, hidesPlans(request));
  return {
    ...bucket,
    ...splitValues,
    ...(shownHere ?? absent(here, floor)),
    compared: {
      ...numbersOf(seen ?? absent(there, floor), request),
      [maskedFact]: maskedIn(pair.there),
      ...(bucketThere.dtime === undefined ? {} : { dtime: bucketThere.dtime }),
    },
    difference: {
      ...difference,
      ...(fewest === 0 ? {} : hiddenOfDifference(pair, difference.reason, request, fewest)),
    },
    households: isSuppressed ? nulls(households) : households,
    ...(hasOtherTime(request) ? { change } : {}),
  };
}

function sampleOf({ items, replicatesOf }: ComparedFacts) {
  return { items, ...(replicatesOf === undefined ? {} : { replicatesOf }) };
}

function countsOf({ both, onlyHere, onlyThere }: Households<readonly string[]>) {
  return { both: both.length, onlyHere: onlyHere.length, onlyThere: onlyThere.length };
}

/** With factors, a group of many households may be one of them for the most part. */
function hidesPlans({ weight, relativeTo }: MetricRequest): boolean {
  return (weight ?? relativeTo) !== undefined;
}

/** The numbers of a side without rows. It is not suppressed. */
function absent({ report }: Side, floor: number): Point {
  const numbers = report.statisticsOf([]);
  const hasColumn = floor > 0 || numbers.suppressed !== undefined;
  return { ...nulls(numbers), ...(hasColumn ? { suppressed: false } : {}) };
}

/** A point without its place. */
function numbersOf(point: Point, { splits = [] }: MetricRequest): Point {
  const names = ['dtime', 'aggregatedNumber', ...splits];
  return Object.fromEntries(Object.entries(point).filter(([name]) => !names.includes(name)));
}

/** The numbers of a difference that would show what a floor hides of one of the sides. */
function hiddenOfDifference(
  pair: ShownPair,
  reason: string | null,
  request: MetricRequest,
  fewest: number,
): Point {
  const { percentileRule } = request;
  const sides = [pair.here, pair.there].filter((point) => point !== undefined);
  const medians = [pair.shownHere, pair.shownThere].map((point) => point?.median ?? null);
  const hidesTest = sides.some((point) => hidesHouseholdError(point, fewest));
  const hidesMedians = sides.some((point) => {
    const { places } = woodruff({ items: factsOf(point).items }, 50, percentileRule);
    return hidesInterval(point, places, request, fewest);
  });
  return {
    ...(medians.includes(null) ? { median: null } : {}),
    ...(hidesTest ? noTest : {}),
    ...(hidesTest && [null, 'noVariance'].includes(reason) ? { reason: 'suppressed' } : {}),
    ...(hidesMedians ? { medianCi95: noTest.medianCi95 } : {}),
  };
}

/** With the p of each point adjusted for those of all points. */
function withAdjusted(points: readonly Point[]): readonly Point[] {
  const differences = points.map(({ difference }) => difference as { readonly p: number | null });
  const all = adjusted(differences.map(({ p }) => p));
  return points.map((point, i) => ({
    ...point,
    difference: { ...differences[i], pAdjusted: all[i] },
  }));
}
