import { step } from '../../shared/sql/select.ts';
import type { MetricQuery } from '../request/metric-query.ts';
import { comparedHouseholds, partsOfSides } from './comparison/compared-households.ts';
import { type Asked, askedOf, type Dependency, type Stage, type StageUse } from './stage.ts';
import { coverage } from './stages/coverage.ts';
import { relativeTo, weight } from './stages/custom-numbers.ts';
import { household } from './stages/household.ts';
import { intervals } from './stages/intervals.ts';
import { masked } from './stages/masked.ts';
import { leftOut } from './stages/left-out.ts';
import { overBuckets } from './stages/over-buckets.ts';
import { percentileIntervals } from './stages/percentile-intervals.ts';
import { percentileRule } from './stages/percentile-rule.ts';
import { privacyFloor } from './stages/privacy-floor.ts';
import { sample } from './stages/sample.ts';
import { exclusions, metadataFilters, range, source, window } from './stages/selection.ts';
import { consistent, shares } from './stages/shares.ts';
import { statistics } from './stages/statistics.ts';
import { strata } from './stages/strata.ts';
import { switchers } from './stages/switchers.ts';
import { weightReplicates } from './stages/weight-replicates.ts';
import { trim, trimBounds } from './stages/trim.ts';

/** Points are grouped by ids of custom values. */
const labels: Stage = {
  name: 'labels',
  of: () => ({
    steps: ({ splits }) => {
      const lookups = splits.flatMap((split) => split.lookups);
      if (lookups.length === 0) return [];
      const why = 'The custom values of the ids that points are grouped by.';
      return [step('labelled', why, { columns: ['*', ...lookups] })];
    },
  }),
};

/** In the order of docs/statistics.md, "Reports". */
export const stages: readonly Stage[] = [
  source,
  range,
  switchers,
  trimBounds,
  metadataFilters,
  window,
  exclusions,
  relativeTo,
  weight,
  weightReplicates,
  strata,
  comparedHouseholds,
  trim,
  household,
  statistics,
  sample,
  intervals,
  consistent,
  percentileRule,
  percentileIntervals,
  partsOfSides,
  shares,
  masked,
  leftOut,
  privacyFloor,
  overBuckets,
  coverage,
  labels,
];

/** What the stages add to the query of a request. */
export function usedStages(asked: Asked): readonly StageUse[] {
  return stages.reduce<readonly StageUse[]>((before, stage) => {
    const use = stage.of(asked, before);
    return use === undefined ? before : [...before, use];
  }, []);
}

/** What an answer depends on besides the results of each bucket. */
export function dependenciesOf(query: MetricQuery): ReadonlySet<Dependency> {
  return new Set(usedStages(askedOf(query)).flatMap(({ dependsOn = [] }) => dependsOn));
}
