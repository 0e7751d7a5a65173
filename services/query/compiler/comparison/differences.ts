import { studentT, studentTProbability } from '../../../catalog/student-t.ts';
import { as, type Column, step, type Step } from '../../../shared/sql/select.ts';
import { allFlags, anyFlag } from '../conditions.ts';
import type { Plan } from '../stage.ts';
import { hasReplicates } from '../stages/weight-replicates.ts';
import { isOverTime } from './sides.ts';

/** From pairs of points to their differences: docs/comparisons.md. */
export function differenceSteps(plan: Plan): readonly Step[] {
  return [
    step('matched', 'How many households are on both sides, and their parts in both errors.', {
      columns: [
        '*',
        as('households.2', 'of_sides'),
        as(ofGroups('arrayCount(own -> own = group, of_sides)'), 'group_sizes'),
        ...groups.map(({ name }, i) => as(`group_sizes[${i + 1}]`, name)),
        ...squaresOfErrors(plan),
        as(differByFew(plan), 'differ_by_few'),
      ],
    }),
    step('errors', 'The standard errors of the differences, and their degrees of freedom.', {
      columns: [
        '*',
        as(hasFew(plan), 'has_few'),
        as(anyFlag('here_hidden', 'there_hidden', 'has_few'), 'is_hidden'),
        as(anyFlag('here_masked', 'there_masked'), 'is_masked'),
        as(
          allFlags('here_agents > 0', 'there_agents > 0', 'NOT is_hidden', 'NOT is_masked'),
          'is_compared',
        ),
        as(allFlags('is_compared', 'both > 0'), 'has_stayers'),
        ...errorColumns(plan, 'mean', '1e-9 * greatest(abs(here_mean), abs(there_mean))'),
        ...errorColumns(plan, 'median', '1e-9 * greatest(abs(here_median), abs(there_median))'),
        as(reasonOf(plan), 'reason'),
      ],
    }),
    ...(isOverTime(plan.query) ? changeSteps(plan) : []),
    step(
      'tests',
      "Student's t of the differences, and the probability of such a difference by chance.",
      {
        columns: [
          '*',
          as('if(is_compared, here_mean - there_mean, NULL)', 'difference'),
          as('if(is_compared, here_median - there_median, NULL)', 'median_difference'),
          as('isNull(reason)', 'is_tested'),
          as('ifNull((here_mean - there_mean) / mean_error, 0)', 'mean_t'),
          ...studentT('mean_degrees').map(({ sql, name }) => as(sql, name)),
          ...studentT('median_degrees', 'median_', [95]).map(({ sql, name }) => as(sql, name)),
          ...studentTProbability('mean_t', 'mean_degrees').map(({ sql, name }) => as(sql, name)),
          as('if(is_tested, p_value, NULL)', 'p'),
        ],
      },
    ),
    step('ranks', 'The rank of each p among all of the answer.', {
      columns: [
        '*',
        as('count(p) OVER ()', 'p_count'),
        as('row_number() OVER (ORDER BY p)', 'p_rank'),
      ],
    }),
    step('differences', "Benjamini and Hochberg's adjustment of p for all of them together.", {
      columns: ['*', as(adjusted, 'p_adjusted')],
    }),
  ];
}

/** The households of a pair of points, by the sum of their sides. */
const groups = [
  { name: 'both', sides: 3 },
  { name: 'only_here', sides: 1 },
  { name: 'only_there', sides: 2 },
] as const;

/** SQL of a list: a number for each of these groups. */
function ofGroups(number: string): string {
  return `arrayMap(group -> ${number},
            [${groups.map(({ sides }) => sides).join(', ')}])`;
}

/** They add up to the square of each error: of each group, or of the replicates of both sides. */
function squaresOfErrors(plan: Plan): readonly Column[] {
  const squares = (of: string, parts: string) =>
    hasReplicates(plan)
      ? `[arraySum(part -> part * part, ${of}_replicates_of_pair)]`
      : ofGroups(`arraySum((part, own) -> if(own = group, part * part, 0), ${parts}, of_sides)`);
  return [
    as(squares('mean', 'households.3'), 'mean_squares'),
    as(squares('median', 'households.4'), 'median_squares'),
  ];
}

/** A difference that rounding makes has no error. Degrees of freedom as Welch and Satterthwaite estimate them. */
function errorColumns(plan: Plan, of: string, least: string): readonly Column[] {
  const sizes = hasReplicates(plan) ? '[here_replicates]' : 'group_sizes';
  const [squares, error] = [`${of}_squares`, `${of}_error`];
  return [
    as(`sqrt(arraySum(${squares}))`, `${of}_root`),
    as(`if(${of}_root > ${least}, ${of}_root, NULL)`, error),
    as(
      `ifNull(pow(${error}, 4)
        / arraySum((squares, size) -> squares * squares / greatest(size - 1, 1), ${squares}, ${sizes}), 1)`,
      `${of}_degrees`,
    ),
  ];
}

/** A floor can also hide the error of a side. */
function reasonOf(plan: Plan): string {
  const withoutReplicates = `least(here_replicates, there_replicates) < 2 OR here_replicates != there_replicates, 'noReplicates',
        `;
  return `multiIf(
        is_hidden, 'suppressed',
        least(here_agents, there_agents) = 0, 'noComparedValue',
        is_masked, 'masked',${plan.query.metric.stored ? "\n        1, 'preAggregated'," : ''}
        least(here_agents, there_agents) < 2, 'fewHouseholds',
        ${hasReplicates(plan) ? withoutReplicates : ''}${anyFlag('isNull(here_error)', 'isNull(there_error)')}, 'suppressed',
        isNull(mean_error), 'noVariance',
        NULL)`;
}

/**
 * With a privacy floor, both sides together would show the few households that they differ by, or share. With factors a
 * group of many may be one household for the most part, so the sides must be the same households or share none.
 */
function differByFew({ floor, hasFactors }: Plan): string {
  if (floor === undefined) return '0';
  const isFew = `arrayExists(size -> size BETWEEN 1 AND ${floor - 1}, group_sizes)`;
  const isPartly = allFlags('both > 0', 'only_here + only_there > 0');
  return allFlags('has_here', 'has_there', hasFactors ? anyFlag(isFew, isPartly) : isFew);
}

/**
 * What is hidden of a bucket is its rest less what is shown. If series share households, the series that are hidden can
 * have fewer together than their numbers add up to.
 */
function hasFew({ floor, report, bucketKey }: Plan): string {
  if (floor === undefined || report?.compare?.toRest !== true) return 'differ_by_few';
  const ofBucket = `OVER (${bucketKey.length === 0 ? '' : `PARTITION BY ${bucketKey.join(', ')}`})`;
  const isHidden = anyFlag('here_hidden', 'there_hidden', 'differ_by_few');
  return anyFlag(
    'differ_by_few',
    allFlags(
      `sum(here_agents) ${ofBucket} > both + only_here + only_there`,
      `max(${isHidden}) ${ofBucket}`,
    ),
  );
}

const adjusted = `if(${anyFlag('p_count < 2', 'isNull(p)')}, NULL,
        least(1, min(p * p_count / p_rank) OVER (ORDER BY p DESC)))`;

/** The part of the difference that each kind of household has: docs/comparisons.md. */
function changeSteps({ floor, hasFactors }: Plan): readonly Step[] {
  const mean = (side: string) =>
    `arraySum((x, w) -> x * w, stayer_${side}_xs, stayer_${side}_shares)`;
  const shares = (list: string) => `arrayMap(w -> w / arraySum(${list}), ${list})`;
  const tooFew = hasFactors ? 'both - 1' : `${(floor ?? 1) - 1}`;
  const few = floor === undefined ? '0' : `least(same, both - same) BETWEEN 1 AND ${tooFew}`;
  const shown = (sql: string, name: string) => as(`if(has_stayers, ${sql}, NULL)`, name);
  const plans = (sql: string, name: string) => shown(`if(${few}, NULL, ${sql})`, name);
  return [
    step(
      'stayers',
      'The households on both sides: values, and shares of the weight of each side.',
      {
        columns: [
          '*',
          as(
            'arrayFilter(one -> one.1 = 3, arrayZip(of_sides, households.5, households.6, households.7, households.8, households.9))',
            'stayers',
          ),
          as('stayers.2', 'stayer_here_xs'),
          as(shares('stayers.3'), 'stayer_here_shares'),
          as('stayers.4', 'stayer_there_xs'),
          as(shares('stayers.5'), 'stayer_there_shares'),
          as('countEqual(stayers.6, 0)', 'same'),
        ],
      },
    ),
    step('stayer_parts', 'The part of each of them in the difference.', {
      columns: [
        '*',
        as(mean('here'), 'here_stayers'),
        as(mean('there'), 'there_stayers'),
        as(
          `arrayMap((x, before, share, share_before) -> (share + share_before) / 2 * (x - before),
        stayer_here_xs, stayer_there_xs, stayer_here_shares, stayer_there_shares)`,
          'plan_parts',
        ),
      ],
    }),
    step('changes', 'The parts of the difference: they add up to it.', {
      columns: [
        '*',
        // Rounding must not make something of nobody.
        shown('if(only_here = 0, 0, here_mean - here_stayers)', 'joined'),
        shown('if(only_there = 0, 0, there_stayers - there_mean)', 'left_out'),
        plans(
          'arraySum((part, change) -> if(change = 0, part, 0), plan_parts, stayers.6)',
          'same_plan',
        ),
        plans(
          'arraySum((part, change) -> if(change = 0, 0, part), plan_parts, stayers.6)',
          'changed_plan',
        ),
        shown(
          `arraySum((x, before, share, share_before) -> (share - share_before)
            * (x + before - here_stayers - there_stayers) / 2,
        stayer_here_xs, stayer_there_xs, stayer_here_shares, stayer_there_shares)`,
          'reweighted',
        ),
      ],
    }),
  ];
}
