import type { Report } from '../../request/fields/report-fields.ts';
import { as, step, type Step } from '../../../shared/sql/select.ts';
import { aggregate, type PointAggregate } from '../aggregates.ts';
import type { PointColumn } from '../compiled-query.ts';
import { all, reaches } from '../conditions.ts';
import {
  intervalsColumns,
  type NumberLists,
  numberColumn,
  numberColumns,
} from '../number-columns.ts';
import type { Asked, Stage } from '../stage.ts';
import { percentileAt } from '../weighted-percentiles.ts';
import { isOrdinary, noInterval, squaresAreShown } from './privacy-floor.ts';
import { effectiveHouseholds, hasShareIntervals, hasTooFew, standardError } from './sample.ts';

/** A percentile over households of a percentile of each household's results, `low_value`. */
export const consistent: Stage = {
  name: 'consistent',
  of(asked) {
    const { consistent: of } = asked.report ?? {};
    if (of === undefined) return undefined;
    const { households, results } = of;
    const name = 'consistent_value';
    const level = households / 100;
    return {
      household: {
        furtherValue: { prefix: 'low_', statistic: { kind: 'percentile', percent: results } },
      },
      statistics: {
        unweighted: [as(`quantileExactInclusive(${level})(low_value)`, name)],
        weighted: [as(percentileAt(level, 'low_'), name)],
      },
      points: {
        numbers: () => [numberColumn('consistent', name)],
        aboveFloor: (floor) => ({
          [name]: `if(${isOrdinary(asked, String(households), floor)}, ${name}, NULL)`,
        }),
      },
    };
  },
};

/**
 * `share_values` are the shares of `shares` and `sharesAtMost`, in the order of their thresholds, and `share_intervals`
 * their intervals.
 */
export const shares: Stage = {
  name: 'shares',
  of(asked) {
    const bounds = boundsOf(asked.report);
    if (bounds.length === 0) return undefined;
    return {
      statistics: {
        unweighted: [as(listOf(bounds.map(unweighted)), 'share_values')],
        weighted: [as(listOf(bounds.map(weighted)), 'share_values')],
        aggregates: asked.floor === undefined ? [] : agentsOnSides(bounds, asked),
      },
      steps: () => (hasShareIntervals(asked) ? intervalSteps(asked, bounds) : []),
      points: {
        numbers: (lists) => fields.flatMap((field) => columnsOf(field, bounds, asked, lists)),
        aboveFloor: (floor) => ({
          share_values: knownShares(floor, bounds.length, asked),
          ...(hasShareIntervals(asked) && { share_intervals: knownIntervals(asked, floor) }),
        }),
      },
    };
  },
};

type Field = (typeof fields)[number];

function columnsOf(
  { name, prefix }: Field,
  bounds: readonly Bound[],
  asked: Asked,
  lists: NumberLists,
): readonly PointColumn[] {
  const own = bounds.flatMap(({ field, threshold }, i) => {
    const value = `share_values[${i + 1}]`;
    const interval = `share_intervals[${i + 1}]`;
    const named = { key: String(threshold), column: `${prefix}${threshold}`, value };
    // A floor hides shares.
    const shown =
      asked.floor === undefined ? interval : `if(isNull(${value}), ${noInterval}, ${interval})`;
    return field === name ? [{ ...named, interval: shown }] : [];
  });
  if (own.length === 0) return [];
  return [
    ...numberColumns(
      name,
      own.map(({ value, ...named }) => ({ ...named, sql: value })),
      lists,
    ),
    ...intervalsColumns(
      `${name}Ci95`,
      (hasShareIntervals(asked) ? own : []).map(({ interval, key, column }) => ({
        key,
        column: `${column}Ci95`,
        sql: interval,
      })),
      lists,
    ),
  ];
}

/**
 * Wilson's interval, with the number of independent households that would give the same error. Without variance that is
 * the effective number of households, so that a share of 1 has an interval too.
 */
function intervalSteps(asked: Asked, bounds: readonly Bound[]): readonly Step[] {
  const errors = bounds.map((bound, i) =>
    standardError(asked, `(${counts('x', bound)})`, `ifNull(share_values[${i + 1}], 0)`),
  );
  return [
    step(
      'share_sizes',
      'How many independent households would give the same errors of the shares.',
      {
        columns: [
          '*',
          as(listOf(errors), 'share_errors'),
          as(effectiveHouseholds(asked), 'own_size'),
          as(
            `arrayMap((share, error) -> if(error > 1e-9, share * (1 - share) / pow(error, 2), own_size),
        share_values, share_errors)`,
            'share_sizes',
          ),
        ],
      },
    ),
    step('share_intervals', "Wilson's intervals of the shares.", {
      columns: [
        '*',
        as(
          `arrayMap((share, size) -> arrayMap(t -> if(${hasTooFew(asked)}, NULL, clamp(
            (share + t * t / (2 * size)
                + t * sqrt(greatest(share * (1 - share), 0) / size + pow(t / (2 * size), 2)))
            / (1 + t * t / size), 0, 1)), [-t95, t95]),
        share_values, share_sizes)`,
          'share_intervals',
        ),
      ],
    }),
  ];
}

/** Of results, an interval tells how many results each household has on one side: together, a caller may conclude those of one. */
function knownIntervals(asked: Asked, floor: number): string {
  const shown = asked.household === undefined ? '0' : squaresAreShown(asked, floor);
  return shown === '1'
    ? 'share_intervals'
    : `arrayMap(interval -> if(${shown}, interval, ${noInterval}), share_intervals)`;
}

const fields = [
  { name: 'shares', prefix: 'share' },
  { name: 'sharesAtMost', prefix: 'shareAtMost' },
] as const;

interface Bound {
  readonly threshold: number;
  readonly field: Field['name'];
}

/**
 * In ascending order, so that fewer and fewer households are above them: at the same threshold, those of `shares` have
 * the equal values above them, and those of `sharesAtMost` below.
 */
function boundsOf(report: Partial<Report> = {}): readonly Bound[] {
  return fields
    .flatMap(({ name }) =>
      (report[name]?.thresholds ?? []).map((threshold) => ({ threshold, field: name })),
    )
    .sort((a, b) => a.threshold - b.threshold);
}

/** SQL of whether a value is counted. */
function counts(value: string, { threshold, field }: Bound): string {
  return field === 'shares'
    ? reaches(value, threshold)
    : `round(${value}, 9) <= round(${threshold}, 9)`;
}

function unweighted(bound: Bound): string {
  return `countIf(${counts('value', bound)}) / count(value)`;
}

function weighted(bound: Bound): string {
  return `arraySum((x, w) -> if(${counts('x', bound)}, w, 0), xs, ws) / total_weight`;
}

/** One item per line. */
function listOf(items: readonly string[]): string {
  return `[\n    ${items.join(',\n    ')}\n]`;
}

/** The numbers of agents with a value above each bound, and below it. Of households, also of those without a mask. */
function agentsOnSides(bounds: readonly Bound[], asked: Asked): readonly PointAggregate[] {
  const isOfHouseholds = asked.household !== undefined;
  const agents = (name: string, condition: string) =>
    isOfHouseholds
      ? aggregate(name, 'countIf', `is_counted AND ${condition}`)
      : aggregate(name, 'uniqExactIf', `agent_key, ${condition}`);
  return bounds.flatMap((bound, i) => {
    const sides = [counts('value', bound), `NOT ${counts('value', bound)}`];
    const [above = '', below = ''] = bound.field === 'shares' ? sides : sides.toReversed();
    return [
      agents(`agents_above_${i}`, `ifNull(${above}, 0)`),
      agents(`agents_below_${i}`, `ifNull(${below}, 0)`),
      ...(hasMasks(asked)
        ? [
            agents(`unmasked_above_${i}`, `NOT is_masked AND ifNull(${above}, 0)`),
            agents(`unmasked_below_${i}`, `NOT is_masked AND ifNull(${below}, 0)`),
          ]
        : []),
    ];
  });
}

/** Whether shares are of households some of which may be masked. */
function hasMasks({ query, household }: Asked): boolean {
  return household !== undefined && query.metric.masked !== undefined;
}

/**
 * The shares with at least as many agents as the floor on both sides of the bound. Of households, also those between two
 * shown bounds are none or as many: with weights, a difference of two shares tells who is between them. So does the
 * share of the masked households, whom a caller may know.
 */
function knownShares(floor: number, count: number, asked: Asked): string {
  const listed = (name: string) =>
    `[${Array.from({ length: count }, (_, i) => `${name}_${i}`).join(', ')}]`;
  const sides = ['above', 'below'];
  const enough = sides.map((side) => `${side} >= ${floor}`).join(' AND ');
  if (asked.household === undefined) {
    return `arrayMap((share, above, below) -> if(${enough}, share, NULL),
        share_values, ${sides.map((side) => listed(`agents_${side}`)).join(', ')})`;
  }
  const unmasked = hasMasks(asked) ? sides.map((side) => `unmasked_${side}`) : [];
  const isShown = all(
    enough,
    `(shown.2 = above OR shown.2 >= above + ${floor})`,
    ...unmasked.map((name) => `(${name} = 0 OR ${name} >= ${floor})`),
  );
  const counts = [...sides.map((side) => listed(`agents_${side}`)), ...unmasked.map(listed)];
  return `arrayFold((${['shown', 'share', ...sides, ...unmasked].join(', ')}) -> if(
            ${isShown},
            (arrayPushBack(shown.1, share), above),
            (arrayPushBack(shown.1, NULL), shown.2)),
        share_values, ${counts.join(', ')},
        (CAST([], 'Array(Nullable(Float64))'), agents)).1`;
}
