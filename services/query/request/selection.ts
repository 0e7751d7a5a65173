import type { Field } from '../../catalog/field.ts';

/** The metadata as it was recorded at a time. */
export interface KnownAt {
  readonly moment: Date;
  /** The organisation's last change up to that time; 0: none. */
  readonly changeId: number;
}

/** A result must match all filters, and any of the values of each. */
export interface MetricFilter {
  readonly field: Field;
  readonly mode: 'include' | 'exclude';
  readonly values: readonly string[];
}

export interface TimeRange {
  readonly from: TimeBound;
  readonly to: TimeBound;
}

/** The buckets that start at or after `from` and before `before`, as `2026-01-31` or `2026-01-31T13:00:00`. */
export interface BucketRange {
  readonly from: string;
  readonly before: string;
}

/** Inclusive, to the second: a range that ends at 10:00:00 includes a result at 10:00:00.500. */
export type TimeBound =
  /** The agent's local time, as `2026-01-31 13:00:00`. */
  | { readonly kind: 'local'; readonly clock: string }
  /** An instant, the same for all agents, in UTC, as `2026-01-31 13:00:00`. */
  | { readonly kind: 'instant'; readonly utc: string };

/** Local weekdays (1 Monday to 7 Sunday) and hours; all that are not listed if `invert`. */
export interface LocalWindow {
  readonly days: readonly number[];
  readonly hours: readonly number[];
  readonly invert: boolean;
}
