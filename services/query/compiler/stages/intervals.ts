import { householdIntervals } from '../../../catalog/statistics.ts';
import { studentT } from '../../../catalog/student-t.ts';
import { as, step } from '../../../shared/sql/select.ts';
import { numberColumn } from '../number-columns.ts';
import type { Stage } from '../stage.ts';
import { deviationShown } from './privacy-floor.ts';
import { degreesOfFreedom, hasSample, standardError } from './sample.ts';

/** Intervals of the mean with households as the sample, and Student's t for all intervals. */
export const intervals: Stage = {
  name: 'intervals',
  of(asked) {
    const { report, household, hasHouseholdWeights } = asked;
    const isAsked = report?.householdIntervals === true;
    const isOfMean = isAsked || (household ?? report?.compare) !== undefined;
    const isNeeded = report?.overBuckets?.kind !== 'share';
    if (!isNeeded || !(isOfMean || hasSample(asked))) return undefined;
    const error = hasSample(asked)
      ? standardError(asked, 'x', 'ifNull(mean, 0)')
      : equalWeightsError;
    return {
      steps: () => [
        step('intervals', "The standard error with households as the sample, and Student's t.", {
          columns: [
            '*',
            ...(isOfMean ? [as(error, 'household_error')] : []),
            ...studentT(degreesOfFreedom(asked)).map(({ sql, name }) => as(sql, name)),
          ],
        }),
      ],
      points: {
        numbers: () => [
          ...(isAsked ? householdIntervals.map(({ name, sql }) => numberColumn(name, sql)) : []),
          ...(hasHouseholdWeights ? effectOfWeights : []),
        ],
        aboveFloor: (floor) => (isOfMean ? deviationShown('household_error', asked, floor) : {}),
      },
    };
  },
};

const effectOfWeights = [
  numberColumn('effectiveHouseholds', 'effective_count'),
  numberColumn('designEffect', 'agents / effective_count'),
];

// One value per household: √( n / (n - 1) · Σ (x - m)² ) / n.
const equalWeightsError = 'if(agents < 2, NULL, deviation / sqrt(agents - 1))';
