import { fieldValue } from '../reference/field-value.ts';
import { groupBy } from '../reference/group-by.ts';
import { assumed } from '../reference/masked.ts';
import { householdOf, type MetricRequest } from '../reference/metric-request.ts';
import { shareFields } from '../reference/shares.ts';
import type { Panel } from '../reference/panel.ts';
import type { Point, Series } from '../reference/result.ts';
import { localStack } from '../support/local-stack.ts';
import { newTenantToken } from '../support/tenant.ts';
import { attackedPanel, speedRange } from './attacked-panel.ts';
import { attackRequest, tellingRequests } from './attack-request.ts';
import { comparisonAttack, hiddenInRest } from './comparison-attack.ts';
import { floorAttack, type Member } from './floor-attack.ts';
import { postMetricDataTo, type PostMetricData } from './post-metric-data.ts';
import { Random } from './random.ts';
import { storePanel } from './store-panel.ts';

interface Outcome {
  readonly points: number;
  readonly recovered: readonly string[];
}

/** Sends random requests with a floor until their responses have `wanted` shown points, and attacks each. */
export async function attackPoints(wanted: number, seed: number): Promise<Outcome> {
  const panel = attackedPanel(seed);
  const stack = await localStack();
  const tenant = await storePanel(stack, panel);
  const free = postMetricDataTo(stack.queryUrl, tenant.dataToken);
  const fastest = await storePanel(stack, withHighest(panel));
  const highest = postMetricDataTo(stack.queryUrl, fastest.dataToken);
  const callerWith = async (min_agents: number): Promise<Caller> => {
    const { database, queryUrl } = stack;
    const columns = { min_agents };
    const token = await newTenantToken(database, tenant.organisationId, 'data', columns);
    return { floor: min_agents, free, highest, floored: postMetricDataTo(queryUrl, token) };
  };
  return attackBy([await callerWith(3), await callerWith(5)], panel, { wanted, seed });
}

/** The same with any source of responses. */
async function attackBy(
  callers: readonly [Caller, Caller],
  panel: Panel,
  { wanted, seed }: { readonly wanted: number; readonly seed: number },
): Promise<Outcome> {
  const random = new Random(seed);
  const recovered: string[] = [];
  let points = 0;
  const telling = callers.flatMap((caller) =>
    tellingRequests.map((request) => ({ caller, request })),
  );
  for (let i = 0; i < telling.length || points < wanted; i++) {
    const { caller, request } = telling[i] ?? {
      caller: random.pick([...callers]),
      request: attackRequest(random),
    };
    const found = await attackResponse(panel, request, caller);
    points += found.points;
    recovered.push(...found.recovered);
  }
  return { points, recovered };
}

/** The panel with the highest values that may be behind the masks, in place of them. */
function withHighest(panel: Panel): Panel {
  const { rows } = assumed(panel, 'highest');
  const unmasked = rows.panel.map((row) => ({ ...row, columns: { ...row.columns, masked: '' } }));
  return { ...panel, rows: { ...rows, panel: unmasked } };
}

interface Caller {
  readonly floor: number;
  readonly free: PostMetricData;
  /** Without a floor, for the panel `withHighest`. */
  readonly highest: PostMetricData;
  readonly floored: PostMetricData;
}

async function attackResponse(
  panel: Panel,
  request: MetricRequest,
  { floor, free, highest, floored }: Caller,
): Promise<Outcome> {
  const points = pointsOf(await floored(request));
  const isPublished = request.metric === 'panelDownload';
  const householdsOf = async (asked: MetricRequest) => {
    const households = pointsOf(await (isPublished ? highest : free)(ofEachHousehold(asked)));
    if (!isPublished) return groupBy(households, keyOf(asked));
    const ofAgent = keyOf(ofEachHousehold(asked));
    const masks = new Map(
      pointsOf(await free(ofEachHousehold(asked))).map((point) => [
        ofAgent(point),
        point.maskedCount,
      ]),
    );
    const marked = households.map((point) => ({
      ...point,
      maskedCount: masks.get(ofAgent(point)),
    }));
    return groupBy(marked, keyOf(asked));
  };
  const here = await householdsOf(request);
  const lines =
    request.compare === undefined
      ? points.flatMap((point) =>
          attackShown(panel, point, here.get(keyOf(request)(point)), request, floor),
        )
      : attackPairs(panel, points, request, floor, {
          here,
          there: isRest(request) ? undefined : await householdsOf(requestOfThere(request)),
        });
  return {
    points: points.filter(isShown).length,
    recovered: lines.map((line) => `${line}\n  floor ${floor}, request ${JSON.stringify(request)}`),
  };
}

function isShown({ suppressed }: Point): boolean {
  return suppressed === false;
}

function attackShown(
  panel: Panel,
  point: Point,
  households: readonly Point[] = [],
  request: MetricRequest,
  floor: number,
): readonly string[] {
  return isShown(point)
    ? floorAttack(point, membersOf(panel, households, request), request, floor)
    : [];
}

/** The points of each household of both sides; `there` is absent for the rest of the series. */
interface HouseholdsOfSides {
  readonly here: HouseholdPoints;
  readonly there: HouseholdPoints | undefined;
}

function attackPairs(
  panel: Panel,
  points: readonly Point[],
  request: MetricRequest,
  floor: number,
  { here, there }: HouseholdsOfSides,
): readonly string[] {
  const otherRequest = requestOfThere(request);
  const lines = points.flatMap((point) => {
    const { dtime } = point.compared as Point;
    const ours = here.get(keyOf(request)(point)) ?? [];
    const theirs =
      there === undefined
        ? restOf(point, here, request)
        : (there.get(keyOf(request)({ ...point, dtime })) ?? []);
    if (theirs === undefined) return comparisonAttack(point, undefined, request, floor);
    const isBoth = request.compare?.agents === 'both';
    const [own, other] = isBoth
      ? [countedIn(ours, theirs), countedIn(theirs, ours)]
      : [ours, theirs];
    const members = {
      here: membersOf(panel, own, request),
      there: membersOf(panel, other, otherRequest),
      otherRequest,
    };
    return [
      ...attackShown(panel, point, own, request, floor),
      ...comparisonAttack(point, members, request, floor),
    ];
  });
  return isRest(request)
    ? [...lines, ...hiddenInRest(points, [...here.values()].flat(), request, floor)]
    : lines;
}

function isRest({ compare }: MetricRequest): boolean {
  return compare?.to === 'rest';
}

type HouseholdPoints = ReadonlyMap<string, readonly Point[]>;

function keyOf({ splits = [] }: MetricRequest): (point: Point) => string {
  return (point) =>
    JSON.stringify([point.dtime, point.aggregatedNumber, ...splits.map((name) => point[name])]);
}

function requestOfThere(request: MetricRequest): MetricRequest {
  const { time, filters, window } = request.compare ?? {};
  return {
    ...request,
    ...(time && { time }),
    ...(filters && { filters }),
    ...(window && { window }),
  };
}

/** The households of the other series of a bucket. Undefined if one is in several: its results are one value there. */
function restOf(
  point: Point,
  households: HouseholdPoints,
  request: MetricRequest,
): readonly Point[] | undefined {
  const key = keyOf(request)(point);
  const bucketOf = keyOf({ ...request, splits: [] });
  const inBucket = [...households].flatMap(([own, points]) =>
    points
      .filter((one) => bucketOf(one) === bucketOf(point))
      .map((one) => ({ one, isOwn: own === key })),
  );
  if (new Set(inBucket.map(({ one }) => one.agent)).size < inBucket.length) return undefined;
  return inBucket.filter(({ isOwn }) => !isOwn).map(({ one }) => one);
}

/** The points of households without those that have no value on the other side. */
function countedIn(points: readonly Point[], other: readonly Point[]): readonly Point[] {
  const counted = new Set(
    other.filter(({ metricValue }) => metricValue !== null).map(({ agent }) => agent),
  );
  return points.map((point) =>
    counted.has(point.agent) ? point : { ...point, metricValue: null },
  );
}

/** The same request without a floor, one point per household. */
function ofEachHousehold(request: MetricRequest): MetricRequest {
  const left = [
    ...shareFields,
    ...['coverage', 'minAgents', 'householdIntervals', 'intervalsOf', 'strata', 'compare'],
  ];
  const kept = Object.entries(request).filter(([name]) => !left.includes(name));
  return {
    ...(Object.fromEntries(kept) as unknown as MetricRequest),
    // The highest speeds are not plausible, and all others are.
    ...(request.metric === 'panelDownload' && { prefilter: false }),
    splits: [...(request.splits ?? []), 'agent'],
  };
}

function pointsOf(series: readonly Series[]): readonly Point[] {
  return series.flatMap(({ metricData }) => metricData);
}

function membersOf(
  panel: Panel,
  points: readonly Point[],
  request: MetricRequest,
): readonly Member[] {
  const { relativeTo, weight } = request;
  const divisor = typeof relativeTo === 'object' ? relativeTo.field : relativeTo;
  const fieldOf = (agentId: unknown, field: string) => {
    const agent = panel.agents.find((one) => one.agentId === agentId)!;
    return Number(fieldValue({ agent, dtimeUtcMs: Date.UTC(2026, 9, 1), columns: {} }, field));
  };
  const isCounted = ({ metricValue }: Point) => metricValue !== null;
  const weightOf = (point: Point) =>
    !isCounted(point)
      ? 0
      : householdOf(request) === undefined
        ? Number(point.sampleCount)
        : weight === undefined
          ? 1
          : fieldOf(point.agent, weight);
  const total = points.reduce((before, point) => before + weightOf(point), 0);
  return points.map((point) => {
    const scale = divisor === undefined ? 1 : 100 / fieldOf(point.agent, divisor);
    return {
      agent: String(point.agent),
      changes: panel.agents.find((one) => one.agentId === point.agent)!.history.length > 1,
      part: weightOf(point) / total,
      low: speedRange[0] * scale,
      high: speedRange[1] * scale,
      value: isCounted(point) ? Number(point.metricValue) : NaN,
      consistent: Number(point.consistent ?? NaN),
      isMasked: Number(point.maskedCount ?? 0) > 0,
      leftOut: (point.leftOut ?? {}) as Readonly<Record<string, number>>,
    };
  });
}
