import { type FieldsOf, needsHousehold } from './report-field.ts';
import { choice, trueOrFalse, wholeNumber } from './shapes.ts';

export interface PointFields {
  readonly switchers: Switchers;
  /** A point with fewer agents has no values. 0: no minimum. */
  readonly minAgents: number;
  readonly householdIntervals: boolean;
  readonly percentileRule: PercentileRule;
}

/** What becomes of a household that changed its ISP or package within the range. */
export type Switchers = 'asOf' | 'longest' | 'drop';

/**
 * A percentile that is between two households: `linear` interpolates, `lower` takes the smallest value whose cumulative
 * weight reaches it, `average` the mean of that and the next one if the weight is just reached.
 */
export type PercentileRule = 'linear' | 'lower' | 'average';

/** The fields of a report that do not depend on others. */
export const pointFields = {
  switchers: {
    component: 'Switchers',
    ...choice('asOf', 'longest', 'drop'),
    default: 'asOf',
    about:
      'Households whose ISP or package changed within the range: `asOf` uses each result with the metadata it had; `longest` only the results of the ISP and package with the most days of results; `drop` leaves them out. A `method` may have its own.',
    absent: () => 'asOf',
  },
  minAgents: {
    ...wholeNumber,
    about:
      'A point with fewer agents is returned with `suppressed` true and no numbers. A token with a privacy floor has at least that minimum in every request.',
    flags: {
      'min-agents': { value: 'N', about: 'no numbers for points of fewer agents' },
    },
    absent: () => 0,
  },
  householdIntervals: {
    ...trueOrFalse,
    default: false,
    about:
      'Adds `ciHousehold90`, `ciHousehold95` and `ciHousehold99`: confidence intervals with households as the sample. The tests of one household are alike, so `ci95` is much too narrow for a statement about households. With `household` or `agent_agg`, `ci95` itself has households as the sample.',
    flags: {
      'household-intervals': { about: 'confidence intervals with households as the sample' },
    },
    absent: () => false,
  },
  percentileRule: {
    component: 'PercentileRule',
    ...choice('linear', 'lower', 'average'),
    default: 'linear',
    about:
      'How percentiles over households are computed. `linear` interpolates between two households. `lower` is the smallest value at or below which a household lies with that share of the weights, and `average` is the mean of that value and the next one if they are exactly that share, as statistical offices and the R package survey compute them (`math`, `school`). `lower` and `average` need `household`.',
    absent: () => 'linear',
    check: (rule, { hasHouseholds, problems }) => {
      if (rule !== undefined && rule !== 'linear' && !hasHouseholds) {
        problems.add('percentileRule', needsHousehold);
      }
    },
  },
} satisfies FieldsOf<PointFields>;
