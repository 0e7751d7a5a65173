import type { Result } from './result.ts';
import type { WeightedValue } from './statistics.ts';
import type { Sample } from './weights.ts';

/** A result of a report, with its fields at that time. */
export interface Item {
  readonly result: Result;
  readonly agentId: string;
  readonly value: number;
  readonly sample: Sample;
  readonly relativeTo: number | null;
  readonly weight: number | null;
  readonly leftOut:
    | 'resultsOfSwitchers'
    | 'resultsExcluded'
    | 'resultsWithoutField'
    | 'resultsWithoutWeight'
    | null;
}

/** What a household contributes to a point. */
export interface HouseholdValue extends WeightedValue {
  readonly agentId: string;
  readonly kept: readonly Item[];
  readonly trimmed: number;
  /** The percentile of its results for `consistent`. */
  readonly low: number;
  /** What a privacy floor counts: its weight, the reciprocals of its field, their products. */
  readonly factors: readonly number[];
}
