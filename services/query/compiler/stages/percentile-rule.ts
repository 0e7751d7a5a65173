import { percentileNumbers } from '../../../catalog/statistics.ts';
import { as, type Column, step } from '../../../shared/sql/select.ts';
import type { PercentileRule } from '../../request/fields/points.ts';
import { furtherValues, type Stage } from '../stage.ts';

/** Replaces the percentiles over households, which interpolate, by those of another rule. */
export const percentileRule: Stage = {
  name: 'percentileRule',
  of({ report, hasHouseholdWeights }, before) {
    const rule = report?.percentileRule ?? 'linear';
    if (rule === 'linear') return undefined;
    const prefixes = ['', ...furtherValues(before).map(({ prefix }) => prefix)];
    const levels = percentileNumbers.map((percent) => percentileBy(rule, percent));
    const replaced = [`[\n        ${levels.join(',\n        ')}] AS quantiles`];
    if (report?.consistent !== undefined) {
      const percent = report.consistent.households;
      replaced.push(`${percentileBy(rule, percent, 'low_')}\n        AS consistent_value`);
    }
    return {
      statistics: {
        unweighted: prefixes.map((prefix) => sortedValues(prefix)),
        weighted: prefixes.flatMap((prefix) => [`${prefix}xs`, `${prefix}ws`]),
      },
      steps: () => [
        step('reached', 'The share of the weights up to each household, in ascending order.', {
          columns: [
            '*',
            ...prefixes.map((prefix) =>
              as(
                hasHouseholdWeights ? sharesOfWeights(prefix) : equalShares(prefix),
                `${prefix}reached`,
              ),
            ),
          ],
        }),
        step('percentiles', `Percentiles by the rule ${rule}.`, {
          columns: [`* REPLACE (\n    ${replaced.join(',\n    ')})`],
        }),
      ],
    };
  },
};

function sortedValues(prefix: string): Column {
  return as(`arraySort(groupArrayIf(${prefix}value, is_counted))`, `${prefix}xs`);
}

function sharesOfWeights(prefix: string): string {
  return `arrayMap(sum -> sum / arraySum(${prefix}ws), arrayCumSum(${prefix}ws))`;
}

function equalShares(prefix: string): string {
  return `arrayMap(rank -> rank / length(${prefix}xs), arrayEnumerate(${prefix}xs))`;
}

/** Sums of weights that would be equal without rounding differ by less than 1e-9. */
function percentileBy(rule: PercentileRule, percent: number, prefix = ''): string {
  const after = (shares: string) => `arrayCount(s -> s ${shares}, ${prefix}reached) + 1`;
  const lower = `${prefix}xs[${after(`< ${percent / 100} - 1e-9`)}]`;
  if (rule === 'lower') return lower;
  const next = `least(${after(`<= ${percent / 100} + 1e-9`)}, agents)`;
  return `(${lower}\n            + ${prefix}xs[${next}]) / 2`;
}
