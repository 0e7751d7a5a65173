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

/** `share_values` are the shares at or above the thresholds, in their order. */
export const shares: Stage = {
  name: 'shares',
  of({ report, household, floor: asked }) {
    if (report?.shares === undefined) return undefined;
    const { thresholds } = report.shares;
    const isOfHouseholds = household !== undefined;
    return {
      statistics: {
        unweighted: [as(listOf(thresholds.map(unweighted)), 'share_values')],
        weighted: [as(listOf(thresholds.map(weighted)), 'share_values')],
        aggregates: asked === undefined ? [] : agentsOnSides(thresholds, isOfHouseholds),
      },
      points: {
        numbers: (lists) =>
          numberColumns(
            'shares',
            thresholds.map((t, i) => ({
              key: String(t),
              column: `share${t}`,
              sql: `share_values[${i + 1}]`,
            })),
            lists,
          ),
        aboveFloor: (floor) => ({
          share_values: knownShares(floor, thresholds.length, isOfHouseholds),
        }),
      },
    };
  },
};

function unweighted(threshold: number): string {
  return `countIf(${reaches('value', threshold)}) / count(value)`;
}

function weighted(threshold: number): string {
  return `arraySum((x, w) -> if(${reaches('x', threshold)}, w, 0), xs, ws) / total_weight`;
}

/** One item per line. */
function listOf(items: readonly string[]): string {
  return `[\n    ${items.join(',\n    ')}\n]`;
}

/** The numbers of agents with a value at or above each threshold, and below it. */
function agentsOnSides(
  thresholds: readonly number[],
  isOfHouseholds: boolean,
): readonly PointAggregate[] {
  const agents = (name: string, condition: string) =>
    isOfHouseholds
      ? aggregate(name, 'countIf', `is_counted AND ${condition}`)
      : aggregate(name, 'uniqExactIf', `agent_key, ${condition}`);
  return thresholds.flatMap((threshold, i) => [
    agents(`agents_above_${i}`, `ifNull(${reaches('value', threshold)}, 0)`),
    agents(`agents_below_${i}`, `ifNull(NOT ${reaches('value', threshold)}, 0)`),
  ]);
}

/**
 * The shares with at least as many agents as the floor on both sides of the threshold. Of households, also those between
 * two shown thresholds are none or as many: with weights, a difference of two shares tells who is between them.
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
