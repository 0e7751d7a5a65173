import type { Aggregation } from '../../../catalog/aggregations.ts';
import type { Field } from '../../../catalog/field.ts';
import type { MetricFilter, TimeRange } from '../selection.ts';
import type { MetricScope } from '../parse-context.ts';
import type { RequestField } from './request-field.ts';

/** A field of a request that is a field of `Report`. */
export interface ReportField<T> extends RequestField {
  /** Of a field that was sent. Null after reporting a problem. */
  parse(value: unknown, path: string, scope: ReportScope): T | null;
  /** The value of a field that was not sent, if other fields of the report were. */
  readonly absent?: (scope: ReportScope) => T | undefined;
  /** Reports problems with other fields, when all fields of the group are parsed. `value`: undefined if not valid. */
  check?(value: T | undefined, scope: ReportScope): void;
}

/** The declarations of the fields of a part of `Report`. */
export type FieldsOf<Part> = {
  readonly [K in keyof Part]-?: ReportField<NonNullable<Part[K]>>;
};

/** What the fields of a report depend on. */
export interface ReportScope extends MetricScope {
  readonly aggregation: Aggregation | null;
  readonly agentAgg: boolean;
  /** Whether a point has one value per household. */
  readonly hasHouseholds: boolean;
  readonly splits: readonly Field[];
  readonly filters: readonly MetricFilter[];
  readonly times: readonly TimeRange[];
}

export const needsHousehold = 'Send household too, such as { "statistic": "mean" }.';
