import { percentileNumbers } from '../../../catalog/statistics.ts';
import { as, step } from '../../../shared/sql/select.ts';
import type { PercentileRule } from '../../request/fields/points.ts';
import { type Asked, furtherValues, type Stage } from '../stage.ts';
import { equalPercentileAt, percentileAt } from '../weighted-percentiles.ts';
import { ascendingValues, hasSample, hasWeights } from './sample.ts';

/** Replaces the percentiles over households, which interpolate, by those of another rule. */
export const percentileRule: Stage = {
  name: 'percentileRule',
  of(asked, before) {
    const { report, hasHouseholdWeights } = asked;
    const rule = report?.percentileRule ?? 'linear';
    if (rule === 'linear' || !hasSample(asked)) return undefined;
    const further = furtherValues(before).map(({ prefix }) => prefix);
    const levels = percentileNumbers.map((percent) => percentileBy(rule, String(percent / 100)));
    const replaced = [`[\n        ${levels.join(',\n        ')}] AS quantiles`];
    if (report?.consistent !== undefined) {
      const level = String(report.consistent.households / 100);
      replaced.push(`${percentileBy(rule, level, 'low_')}\n        AS consistent_value`);
    }
    return {
      statistics: {
        unweighted: further.map(ascendingValues),
        weighted: further.flatMap((prefix) => [`${prefix}xs`, `${prefix}ws`]),
      },
      steps: () => [
        step('reached', 'The share of the weights up to each household, in ascending order.', {
          columns: [
            '*',
            ...['', ...further].map((prefix) =>
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

function sharesOfWeights(prefix: string): string {
  return `arrayMap(sum -> sum / arraySum(${prefix}ws), arrayCumSum(${prefix}ws))`;
}

function equalShares(prefix: string): string {
  return `arrayMap(rank -> rank / length(${prefix}xs), arrayEnumerate(${prefix}xs))`;
}

/** At a level from 0 to 1. Sums of weights that would be equal without rounding differ by less than 1e-9. */
function percentileBy(rule: Exclude<PercentileRule, 'linear'>, level: string, prefix = ''): string {
  const after = (shares: string) => `arrayCount(s -> s ${shares}, ${prefix}reached) + 1`;
  const lower = `${prefix}xs[${after(`< ${level} - 1e-9`)}]`;
  if (rule === 'lower') return lower;
  const next = `least(${after(`<= ${level} + 1e-9`)}, agents)`;
  return `(${lower}\n            + ${prefix}xs[${next}]) / 2`;
}

/** SQL of the percentile of the values of a point at a level from 0 to 1, by the rule of the request. */
export function quantileAt(asked: Asked, level: string): string {
  const rule = asked.report?.percentileRule ?? 'linear';
  if (rule !== 'linear') return percentileBy(rule, level);
  return hasWeights(asked) ? percentileAt(level) : equalPercentileAt(level);
}
