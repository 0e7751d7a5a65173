import type { Row, TestName } from './panel.ts';

export type Columns = Row['columns'];

/** A metric of the catalogue, written out by hand a second time. */
export interface MetricDefinition {
  readonly test: TestName;
  readonly everyHours: number;
  readonly isRatio: boolean;
  readonly ownFields: readonly string[];
  readonly exists: (columns: Columns) => boolean;
  readonly isPlausible: (columns: Columns) => boolean;
  /** Of a ratio metric: percent of the row alone. */
  readonly value: (columns: Columns) => number;
  /** How much a row counts beside others: 1, or what a ratio divides by. */
  readonly size: (columns: Columns) => number;
}

/** By name; a metric with another name is there twice. */
export type MetricDefinitions = Readonly<Record<string, MetricDefinition>>;
