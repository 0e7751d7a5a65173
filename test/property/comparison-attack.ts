import { groupBy } from '../reference/group-by.ts';
import { householdOf, type MetricRequest } from '../reference/metric-request.ts';
import type { Point } from '../reference/result.ts';
import { studentT } from '../reference/student-t.ts';
import { sum } from '../reference/weights.ts';
import { byEquation, bySquareSum, floorAttack, type Member, type Unknown } from './floor-attack.ts';

/** The households that count in both points of a pair, and the request that would give the other point alone. */
export interface ComparedMembers {
  readonly here: readonly Member[];
  readonly there: readonly Member[];
  readonly otherRequest: MetricRequest;
}

/**
 * What a caller can conclude about a household from a pair of points: from the other point alone, from both means
 * together, and from what the difference adds to them. Without `members` only what is shown of a hidden point counts.
 */
export function comparisonAttack(
  point: Point,
  members: ComparedMembers | undefined,
  request: MetricRequest,
  floor: number,
): readonly string[] {
  const compared = (point.compared ?? {}) as Point;
  if (point.suppressed === true || compared.suppressed === true) {
    const isRestShown = request.compare?.to === 'rest' && isNumber(compared.metricValue);
    return [
      ...shownWithoutPair(point),
      ...(isRestShown ? ['the rest of a hidden series is shown'] : []),
    ];
  }
  if (members === undefined) return [];
  const other = floorAttack(compared, members.there, members.otherRequest, floor);
  // Of normalised results, the part of a household in a mean depends on the blocks that it has results in.
  const hasParts = !(request.normalised && householdOf(request) === undefined);
  const hasMeans = isNumber(point.metricValue) && isNumber(compared.metricValue);
  if (!hasMeans || !hasParts) return inPair(other);
  const households = householdsOf(members);
  return inPair([
    ...other,
    ...byBothMeans(point, compared, households),
    ...byChange(point, compared, households, floor),
    ...byError(point, compared, households),
  ]);
}

function inPair(lines: readonly string[]): readonly string[] {
  return lines.map((line) => `compared: ${line}`);
}

/** Nothing may say how a point differs from one that is hidden. */
function shownWithoutPair({ difference, households, change }: Point): readonly string[] {
  const parts = { ...(difference as object), ...(households as object), ...(change as object) };
  return Object.entries(parts)
    .filter(([name, value]) => name !== 'reason' && isNumber([value].flat()[0]))
    .map(([name]) => `${name} is shown for a hidden point`);
}

/**
 * What is hidden of a bucket is the rest of a series less the series that are shown: it needs as many households as the
 * floor. `households`: the points of each household.
 */
export function hiddenInRest(
  points: readonly Point[],
  households: readonly Point[],
  { splits = [] }: MetricRequest,
  floor: number,
): readonly string[] {
  const bucketOf = ({ dtime, aggregatedNumber }: Point) =>
    JSON.stringify([dtime, aggregatedNumber]);
  const seriesOf = (point: Point) => JSON.stringify(splits.map((name) => point[name]));
  return [...groupBy(points, bucketOf)].flatMap(([bucket, pairs]) => {
    if (!pairs.some(({ compared }) => isNumber((compared as Point).metricValue))) return [];
    const shown = new Set(pairs.filter(({ suppressed }) => suppressed === false).map(seriesOf));
    const hidden = households.filter(
      (one) => bucketOf(one) === bucket && one.metricValue !== null && !shown.has(seriesOf(one)),
    );
    const agents = new Set(hidden.map(({ agent }) => agent)).size;
    return agents > 0 && agents < floor
      ? [`the rests of ${bucket} leave ${agents} households`]
      : [];
  });
}

interface Household {
  readonly agent: string;
  readonly here: Member | undefined;
  readonly there: Member | undefined;
}

function householdsOf({ here, there }: ComparedMembers): readonly Household[] {
  const counted = (list: readonly Member[]) =>
    new Map(list.filter(({ value }) => !Number.isNaN(value)).map((one) => [one.agent, one]));
  const [ours, theirs] = [counted(here), counted(there)];
  return [...new Set([...ours.keys(), ...theirs.keys()])].map((agent) => ({
    agent,
    here: ours.get(agent),
    there: theirs.get(agent),
  }));
}

/** The mean of one side less a multiple of the other, for which a household has no part in it. */
function byBothMeans(point: Point, compared: Point, households: readonly Household[]) {
  const ratios = households.flatMap(({ here, there }) =>
    here && there ? [here.part / there.part] : [],
  );
  const distinct = [...new Set(ratios.map((ratio) => Number(ratio.toPrecision(9))))].slice(0, 20);
  return distinct.flatMap((ratio) => {
    const unknowns = households.flatMap(({ here, there }): readonly Unknown[] => {
      // A caller knows if a household has the same results on both sides.
      if (here !== undefined && here.value === there?.value) {
        return [{ ...here, coefficient: here.part - ratio * there.part }];
      }
      return [
        ...(here ? [{ ...here, coefficient: here.part }] : []),
        ...(there ? [{ ...there, coefficient: -ratio * there.part }] : []),
      ];
    });
    const total = Number(point.metricValue) - ratio * Number(compared.metricValue);
    return byEquation(`both means, ${ratio}`, unknowns, total);
  });
}

/** The parts of the change give the means of those on both sides, and of those on one. */
function byChange(point: Point, compared: Point, households: readonly Household[], floor: number) {
  const { joined, left, samePlan, changedPlan, reweighted } = (point.change ?? {}) as Point;
  if (!isNumber(joined) || !isNumber(left)) return [];
  const stayers = households.flatMap(({ agent, here, there }) =>
    here && there ? [{ agent, here, there }] : [],
  );
  if (stayers.length === 0) return [];
  const ours = households.flatMap(({ here }) => here ?? []);
  const theirs = households.flatMap(({ there }) => there ?? []);
  const stays = new Set(stayers.map(({ agent }) => agent));
  const [meanHere, meanThere] = [Number(point.metricValue), Number(compared.metricValue)];
  const [stayersHere, stayersThere] = [meanHere - joined, meanThere + left];
  const weights = {
    here: sum(stayers.map(({ here }) => here.part)),
    there: sum(stayers.map(({ there }) => there.part)),
  };
  const shares = stayers.map((one) => ({
    ...one,
    after: one.here.part / weights.here,
    before: one.there.part / weights.there,
  }));
  const change = shares.map(({ here, there, after, before }) => ({
    ...here,
    low: here.low - there.high,
    high: here.high - there.low,
    value: here.value - there.value,
    coefficient: (after + before) / 2,
  }));
  const between = shares.map(({ here, there, after, before }) => ({
    ...here,
    low: (here.low + there.low) / 2,
    high: (here.high + there.high) / 2,
    value: (here.value + there.value) / 2,
    coefficient: after - before,
  }));
  const rest = (list: readonly Member[]) =>
    list.filter(({ agent }) => !stays.has(agent)).map((one) => ({ ...one, coefficient: one.part }));
  return [
    ...byEquation(
      'stayers here',
      shares.map(({ here, after }) => ({ ...here, coefficient: after })),
      stayersHere,
    ),
    ...byEquation(
      'stayers there',
      shares.map(({ there, before }) => ({ ...there, coefficient: before })),
      stayersThere,
    ),
    ...byEquation('joined', rest(ours), meanHere - weights.here * stayersHere),
    ...byEquation('left', rest(theirs), meanThere - weights.there * stayersThere),
    ...(isNumber(samePlan) && changedPlan === 0 ? byEquation('samePlan', change, samePlan) : []),
    ...(isNumber(changedPlan) && samePlan === 0
      ? byEquation('changedPlan', change, changedPlan)
      : []),
    ...(isNumber(samePlan) && isNumber(changedPlan) && changedPlan !== 0 && samePlan !== 0
      ? ofFewChanges(stayers, floor)
      : []),
    ...(isNumber(reweighted) ? byEquation('reweighted', between, reweighted) : []),
  ];
}

function ofFewChanges(stayers: readonly { readonly here: Member }[], floor: number) {
  const changed = stayers.filter(({ here }) => here.changes).length;
  return changed < floor ? [`changedPlan is of at most ${changed} households`] : [];
}

/** The squares of the error of the difference, of all households, or with the degrees of freedom of each of two groups. */
function byError(
  { difference, ...point }: Point,
  compared: Point,
  households: readonly Household[],
) {
  const { ci95, df } = (difference ?? {}) as Point;
  if (!isNumber(ci95) || !isNumber(df)) return [];
  const error = ci95 / studentT(0.95, df);
  const factorOf = (side: 'here' | 'there') => {
    const count = households.filter((one) => one[side] !== undefined).length;
    return Math.sqrt(count / (count - 1));
  };
  const [ours, theirs] = [factorOf('here'), factorOf('there')];
  const [meanHere, meanThere] = [Number(point.metricValue), Number(compared.metricValue)];
  const distanceOf = ({ here, there }: Household): Distance | undefined => {
    if (here && there) {
      if (here.value !== there.value) return undefined;
      // c₁ p (x − m₁) − c₂ q (x − m₂) in one unknown.
      const [a, b] = [ours * here.part, theirs * there.part];
      if (Math.abs(a - b) < 1e-12) return undefined;
      return { member: here, factor: a - b, centre: (a * meanHere - b * meanThere) / (a - b) };
    }
    return here
      ? { member: here, factor: ours * here.part, centre: meanHere }
      : { member: there!, factor: theirs * there!.part, centre: meanThere };
  };
  const groups = [
    households.filter(({ here, there }) => here && there),
    households.filter(({ there }) => !there),
    households.filter(({ here }) => !here),
  ].filter(({ length }) => length > 0);
  return groupTotals(groups, error ** 2, df).flatMap((totals) =>
    groups.flatMap((group, i) => {
      const distances = group.map(distanceOf);
      if (!distances.every((one) => one !== undefined)) return [];
      return bySquareSum(
        `the error of group ${i}`,
        distances.map(({ member, factor, centre }) => ({
          ...member,
          centre,
          coefficient: factor ** 2,
        })),
        totals[i]!,
      );
    }),
  );
}

interface Distance {
  readonly member: Member;
  readonly factor: number;
  readonly centre: number;
}

/** The sums of squares of the groups: ν = S² / Σ V_g² / (n_g − 1) with S = Σ V_g. With two groups both solutions. */
function groupTotals(
  groups: readonly (readonly Household[])[],
  total: number,
  df: number,
): readonly (readonly number[])[] {
  if (groups.length === 1) return [[total]];
  if (groups.length > 2) return [];
  const [a, b] = groups.map(({ length }) => 1 / Math.max(length - 1, 1)) as [number, number];
  // (a + b) V² − 2 b S V + (b − 1 / ν) S² = 0
  const root = Math.sqrt(Math.max(0, b * b - (a + b) * (b - 1 / df)));
  return [root, -root]
    .map((one) => (total * (b + one)) / (a + b))
    .filter((first) => first >= 0 && first <= total)
    .map((first) => [first, total - first]);
}

function isNumber(value: unknown): value is number {
  return typeof value === 'number';
}
