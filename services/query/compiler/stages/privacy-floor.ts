import { statistics } from '../../../catalog/statistics.ts';
import { as, type Column, step, type Step } from '../../../shared/sql/select.ts';
import type { MetricQuery } from '../../request/metric-query.ts';
import type { Report } from '../../request/fields/report-fields.ts';
import type { PointAggregate } from '../aggregates.ts';
import type { PointColumn } from '../compiled-query.ts';
import { allFlags, anyFlag } from '../conditions.ts';
import { shownIf } from '../number-columns.ts';
import type { Asked, HouseholdPart, Plan, Stage, StageUse, StatisticsPart } from '../stage.ts';

/** Points with too few agents: `minAgents` of a report, or the privacy floor of the caller. */
export const privacyFloor: Stage = {
  name: 'minAgents and privacy floor',
  of(asked) {
    const { report, floor } = asked;
    if (floor !== undefined) return floorUse(asked, floor);
    if (report === undefined) return undefined;
    return {
      points: {
        show: (column) => shownInReport(column, report),
        marks: report.minAgents === 0 ? [] : [suppressed(`agents < ${report.minAgents}`)],
      },
    };
  },
};

/** SQL of whether a point has values. */
export function hasValues({ minAgents }: Report, floor?: number): string {
  return floor === undefined ? `agents >= ${Math.max(1, minAgents)}` : 'is_shown';
}

/** A point with too few agents keeps its splits and its bucket. All its numbers are NULL. */
function shownInReport(column: PointColumn, report: Report): PointColumn {
  // Without a minimum, a point whose households are all left out still says how many they were.
  const isAlways = report.minAgents === 0 && counts.has(column.of ?? column.name);
  return isAlways ? column : shownIf(hasValues(report), column);
}

const counts: ReadonlySet<string> = new Set([
  ...statistics.filter(({ kind }) => kind === 'integer').map(({ name }) => name),
  'leftOut',
  'coverage',
]);

function suppressed(condition: string): PointColumn {
  return { name: 'suppressed', kind: 'boolean', sql: `CAST(${condition}, 'Bool')` };
}

// docs/statistics.md, "Privacy floor".
function floorUse({ query, report, household, hasFactors }: Asked, floor: number): StageUse {
  return {
    dependsOn: ['other series'],
    ...(hasFactors &&
      (household === undefined
        ? { statistics: factorOfResults(query) }
        : {
            household: factorsOfHousehold(report),
            statistics: {
              aggregates: [
                ...effectiveHouseholds,
                ...(report?.weight === undefined ? [] : [heaviestShare(floor)]),
              ],
            },
          })),
    steps: (plan) => floorSteps(plan, floor),
    points: {
      show: (column) => shownIf('is_shown', column),
      marks: [suppressed('NOT is_shown')],
    },
  };
}

/** The factors that the value of a household is multiplied by: its weight, and reciprocals of the field of `relativeTo`. */
function factorsOfHousehold({ relativeTo, weight }: Partial<Report> = {}): HouseholdPart {
  const isOfResults = relativeTo?.of === 'result';
  const reciprocals = isOfResults ? 'reciprocals' : '[1 / relative_to]';
  const factors =
    relativeTo === undefined
      ? '[household_weight]'
      : weight === undefined
        ? reciprocals
        : `arrayConcat([household_weight], ${reciprocals},
        arrayMap(reciprocal -> reciprocal * household_weight, ${reciprocals}))`;
  return {
    aggregates: (_, counted) => (isOfResults ? [reciprocalColumn(counted)] : []),
    columns: () => [as(factors, 'factors')],
  };
}

/** Over the counted results of a household. */
function reciprocalColumn(counted: string): Column {
  const ofResults = ['avgIf', 'minIf', 'maxIf'].map(
    (name) => `${name}(assumeNotNull(1 / relative_to),\n        ${counted})`,
  );
  return as(`[\n    ${ofResults.join(',\n    ')}]`, 'reciprocals');
}

/** The smallest (Σf)² / Σf². 0 if there are no agents, or if a factor is beyond the range of numbers. */
function effective(sums: string, squares: string): string {
  return `arrayMin(arrayMap((total, squares) -> ifNotFinite(total * total / squares, 0),
    ${sums},
    ${squares}))`;
}

const effectiveNames = [
  { name: 'effective_agents', power: 1 },
  { name: 'effective_squares', power: 2 },
];

const effectiveHouseholds: readonly PointAggregate[] = effectiveNames.map(({ name, power }) => {
  const powers = (exponent: number) =>
    ['sumForEachIf', `arrayMap(factor -> pow(factor, ${exponent}), factors), is_counted`] as const;
  return {
    name,
    calls: [powers(power), powers(2 * power)],
    sql: (sums = '', squares = '') => effective(sums, squares),
  };
});

/**
 * An upper bound of the share of the weights that fewer agents than the floor have below or above a percentile. The
 * places of percentiles are from the middle of the first weight to that of the last, so without half of the largest.
 */
function heaviestShare(floor: number): PointAggregate {
  return {
    name: 'heaviest_share',
    calls: [['groupArrayIf', 'weight, is_counted']],
    sql: (weights = '') => `arraySum(arraySlice(arrayReverseSort(${weights}), 1, ${floor - 1}))
        / (arraySum(${weights}) - arrayMax(${weights}) / 2)`,
  };
}

/** The factor of an agent is the sum over its results. */
function factorOfResults({ metric }: MetricQuery): StatisticsPart {
  const own = metric.measure.kind === 'ratio' ? 'own_weight' : '1';
  return {
    ofResult: (isCounted) => [as(`if(${isCounted}, ${own} / relative_to, NULL)`, 'factor')],
    aggregates: effectiveNames.map(({ name, power }) => ({
      name,
      calls: [['sumMapIf', '[agent_key], [assumeNotNull(factor)], isNotNull(factor)']],
      sql: (sums = '') => {
        const sum = (exponent: number) =>
          `[arraySum(factor -> pow(factor, ${exponent}), ${sums}.2)]`;
        return effective(sum(power), sum(2 * power));
      },
    })),
  };
}

/**
 * Decides which points have numbers. The suppressed points of a bucket have together at least as many agents as the
 * floor, as far as there are others: the smallest of them are suppressed too. Otherwise the numbers of a single small
 * point would be those of all points less those of the others.
 */
function floorSteps(plan: Plan, floor: number): readonly Step[] {
  const { splits, sideKey, assumedKey, bucketKey } = plan;
  const group = [...sideKey, ...assumedKey, ...bucketKey];
  const counted = step('floor_counts', 'The agents that the privacy floor counts.', {
    columns: ['*', as(countedAgents(plan), 'floor_agents')],
  });
  const isLarge = `floor_agents >= ${floor}`;
  if (splits.length === 0) return [counted, flooredStep(plan, floor, isLarge)];
  const bucket = group.length === 0 ? '' : `PARTITION BY ${group.join(', ')}`;
  const smaller = `${bucket}
    ORDER BY ${['floor_agents', ...splits.map(({ order }) => order)].join(',\n        ')}
    ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING`;
  // The rest of a series that is shown has all others, also those that are not.
  const isRest = plan.report?.compare?.toRest === true ? ['side = 2'] : [];
  const isSafe = anyFlag(...isRest, `fewest_agents >= ${floor}`, `smaller_agents >= ${floor}`);
  return [
    counted,
    step('smaller_points', 'The agents of the smaller points of the bucket.', {
      define: splits.flatMap(({ lookups }) => lookups),
      columns: [
        '*',
        as(`min(floor_agents) OVER (${bucket})`, 'fewest_agents'),
        as(`sum(floor_agents) OVER (${smaller})`, 'smaller_agents'),
      ],
    }),
    flooredStep(plan, floor, allFlags(isLarge, isSafe)),
  ];
}

/**
 * With factors, the effective number of agents: a field that is large for one household and small for the others, sent
 * as `weight`, would show that household. Equal weights of 5 households may give 4.999….
 */
function countedAgents({ hasFactors }: Plan): string {
  return hasFactors ? 'least(agents, toUInt64(effective_agents + 1e-6))' : 'agents';
}

/** Replaces the numbers of shown points that would show one household, too. */
function flooredStep({ uses }: Plan, floor: number, isShown: string): Step {
  const replaced = uses.flatMap(({ points }) => Object.entries(points?.aboveFloor?.(floor) ?? {}));
  const list = replaced.map(([name, sql]) => `${sql} AS ${name}`).join(',\n    ');
  const why = 'The points that are shown, without numbers that would show a household.';
  return step('floored', why, {
    columns: [`* REPLACE (\n    ${list})`, as(isShown, 'is_shown')],
  });
}

export const noNumber = "CAST(NULL, 'Nullable(Float64)')";

export const noInterval = "CAST([NULL, NULL], 'Array(Nullable(Float64))')";

/** SQL of whether a percentile has at least as many agents as the floor on both sides. */
export function isOrdinary({ hasHouseholdWeights }: Asked, percent: string, floor: number): string {
  const side = `least(${percent}, 100 - ${percent})`;
  return allFlags(
    `floor_agents * ${side} >= ${floor * 100}`,
    ...(hasHouseholdWeights ? [`100 * heaviest_share + 1e-9 < ${side}`] : []),
  );
}

/** A sum of squares: NULL if one household, or a few of one stratum, have too large a part of it. */
export function deviationShown(
  name: string,
  asked: Asked,
  floor: number,
): Readonly<Record<string, string>> {
  const isShown = squaresAreShown(asked, floor);
  return isShown === '1' ? {} : { [name]: `if(${isShown}, ${name}, NULL)` };
}

export function squaresAreShown({ hasFactors, report }: Asked, floor: number): string {
  // A group of replicates may be of one household.
  if (report?.weightReplicates !== undefined) return '0';
  return allFlags(
    ...(hasFactors ? [`effective_squares + 1e-6 >= ${floor}`] : []),
    ...(report?.strata === undefined ? [] : [`arrayMin(strata_sizes) >= ${floor}`]),
  );
}
