import { fieldValue } from '../reference/field-value.ts';
import { groupBy } from '../reference/group-by.ts';
import { householdOf, type MetricRequest } from '../reference/metric-request.ts';
import { shareFields } from '../reference/shares.ts';
import type { Panel } from '../reference/panel.ts';
import type { Point, Series } from '../reference/result.ts';
import { localStack } from '../support/local-stack.ts';
import { newTenantToken } from '../support/tenant.ts';
import { attackedPanel, speedRange } from './attacked-panel.ts';
import { attackRequest } from './attack-request.ts';
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
  const random = new Random(seed);
  const panel = attackedPanel(seed);
  const stack = await localStack();
  const tenant = await storePanel(stack, panel);
  const free = postMetricDataTo(stack.queryUrl, tenant.dataToken);
  const flooredBy = async (min_agents: number) => {
    const { database, queryUrl } = stack;
    const columns = { min_agents };
    const token = await newTenantToken(database, tenant.organisationId, 'data', columns);
    return { floor: min_agents, floored: postMetricDataTo(queryUrl, token) };
  };
  const callers = [await flooredBy(3), await flooredBy(5)] as const;
  const recovered: string[] = [];
  let points = 0;
  while (points < wanted) {
    const { floor, floored } = random.pick([...callers]);
    const request = attackRequest(random);
    const found = await attackResponse(panel, request, floor, { free, floored });
    points += found.points;
    recovered.push(...found.recovered);
  }
  return { points, recovered };
}

interface Posts {
  readonly free: PostMetricData;
  readonly floored: PostMetricData;
}

async function attackResponse(
  panel: Panel,
  request: MetricRequest,
  floor: number,
  { free, floored }: Posts,
): Promise<Outcome> {
  const shown = pointsOf(await floored(request)).filter(({ suppressed }) => suppressed === false);
  const splits = request.splits ?? [];
  const keyOf = (point: Point) =>
    JSON.stringify([point.dtime, point.aggregatedNumber, ...splits.map((name) => point[name])]);
  const households = groupBy(pointsOf(await free(ofEachHousehold(request))), keyOf);
  const recovered = shown.flatMap((point) => {
    const members = membersOf(panel, households.get(keyOf(point)) ?? [], request);
    return floorAttack(point, members, request, floor).map(
      (line) => `${line}\n  floor ${floor}, request ${JSON.stringify(request)}`,
    );
  });
  return { points: shown.length, recovered };
}

/** The same request without a floor, one point per household. */
function ofEachHousehold(request: MetricRequest): MetricRequest {
  const left = [
    ...shareFields,
    ...['consistent', 'coverage', 'minAgents', 'householdIntervals', 'intervalsOf', 'strata'],
  ];
  const kept = Object.entries(request).filter(([name]) => !left.includes(name));
  return {
    ...(Object.fromEntries(kept) as unknown as MetricRequest),
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
      part: weightOf(point) / total,
      low: speedRange[0] * scale,
      high: speedRange[1] * scale,
      value: isCounted(point) ? Number(point.metricValue) : NaN,
      leftOut: (point.leftOut ?? {}) as Readonly<Record<string, number>>,
    };
  });
}
