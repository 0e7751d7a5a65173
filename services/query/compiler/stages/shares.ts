import type { Report } from '../../request/fields/report-fields.ts';
import { as } from '../../../shared/sql/select.ts';
import { aggregate, type PointAggregate } from '../aggregates.ts';
import { reaches } from '../conditions.ts';
import { numberColumn, numberColumns } from '../number-columns.ts';
import type { Stage } from '../stage.ts';
import { percentileAt } from '../weighted-percentiles.ts';
import { isOrdinary } from './privacy-floor.ts';

/** A percentile over households of a percentile of each household's results, `low_value`. */
export const consistent: Stage = {
  name: 'consistent',
  of({ report }) {
    const asked = report?.consistent;
    if (asked === undefined) return undefined;
    const { households, results } = asked;
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
          [name]: `if(${isOrdinary(String(households), floor)}, ${name}, NULL)`,
        }),
      },
    };
  },
};

/** `share_values` are the shares of `shares` and `sharesAtMost`, in the order of their thresholds. */
export const shares: Stage = {
  name: 'shares',
  of({ report, household, floor: asked }) {
    const bounds = boundsOf(report);
    if (bounds.length === 0) return undefined;
    const isOfHouseholds = household !== undefined;
    const listed = bounds.map((bound, i) => ({ ...bound, sql: `share_values[${i + 1}]` }));
    return {
      statistics: {
        unweighted: [as(listOf(bounds.map(unweighted)), 'share_values')],
        weighted: [as(listOf(bounds.map(weighted)), 'share_values')],
        aggregates: asked === undefined ? [] : agentsOnSides(bounds, isOfHouseholds),
      },
      points: {
        numbers: (lists) =>
          fields.flatMap(({ name, prefix }) => {
            const own = listed.filter(({ field }) => field === name);
            const numbers = own.map(({ threshold, sql }) => ({
              key: String(threshold),
              column: `${prefix}${threshold}`,
              sql,
            }));
            return own.length === 0 ? [] : numberColumns(name, numbers, lists);
          }),
        aboveFloor: (floor) => ({
          share_values: knownShares(floor, bounds.length, isOfHouseholds),
        }),
      },
    };
  },
};

const fields = [
  { name: 'shares', prefix: 'share' },
  { name: 'sharesAtMost', prefix: 'shareAtMost' },
] as const;

interface Bound {
  readonly threshold: number;
  readonly field: (typeof fields)[number]['name'];
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

/** The numbers of agents with a value above each bound, and below it. */
function agentsOnSides(
  bounds: readonly Bound[],
  isOfHouseholds: boolean,
): readonly PointAggregate[] {
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
    ];
  });
}

/**
 * The shares with at least as many agents as the floor on both sides of the bound. Of households, also those between two
 * shown bounds are none or as many: with weights, a difference of two shares tells who is between them.
 */
function knownShares(floor: number, count: number, isOfHouseholds: boolean): string {
  const [above, below] = ['agents_above_', 'agents_below_'].map(
    (name) => `[${Array.from({ length: count }, (_, i) => `${name}${i}`).join(', ')}]`,
  );
  const enough = `above >= ${floor} AND below >= ${floor}`;
  if (!isOfHouseholds) {
    return `arrayMap((share, above, below) -> if(${enough}, share, NULL),
        share_values, ${above}, ${below})`;
  }
  const isBetween = `(shown.2 = above OR shown.2 >= above + ${floor})`;
  return `arrayFold((shown, share, above, below) -> if(
            ${enough} AND ${isBetween},
            (arrayPushBack(shown.1, share), above),
            (arrayPushBack(shown.1, NULL), shown.2)),
        share_values, ${above}, ${below},
        (CAST([], 'Array(Nullable(Float64))'), agents)).1`;
}
