import type { Row, TestName } from './panel.ts';

export type Columns = Row['columns'];

/** A metric of the catalogue, written a second time by hand. */
export interface MetricDefinition {
  readonly test: TestName;
  readonly everyHours: number;
  readonly isRatio: boolean;
  readonly ownFields: readonly string[];
  /** Whether a row of the test is of the metric, with or without a value. Absent: all are. */
  readonly concerns?: (columns: Columns) => boolean;
  /** The column of a value that a publisher may mask. */
  readonly masked?: string;
  /** A publisher computed the percentiles of its rows: it has no statistics but those. */
  readonly isCell?: true;
  /** Whether a row of the metric has a value. */
  readonly exists: (columns: Columns) => boolean;
  readonly isPlausible: (columns: Columns) => boolean;
  /** For a ratio metric: the percentage of this row alone. */
  readonly value: (columns: Columns) => number;
  /** Relative weight of a row: 1, or the denominator of a ratio. */
  readonly size: (columns: Columns) => number;
}

/** By name. A metric with an alias is listed twice. */
export type MetricDefinitions = Readonly<Record<string, MetricDefinition>>;
