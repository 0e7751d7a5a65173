import { type CompareFields, compareFields } from './compare.ts';
import { type CoverageFields, coverageFields } from './coverage.ts';
import { type HouseholdFields, householdFields } from './household.ts';
import { type OverBucketsFields, overBucketsFields } from './over-buckets.ts';
import { type PointFields, pointFields } from './points.ts';
import { type NumberFields, numberFields } from './relative-to.ts';
import type { FieldsOf, ReportField, ReportScope } from './report-field.ts';
import { type ShareFields, shareFields } from './shares.ts';

/** The fields of a request that make its answer a figure of a report. docs/statistics.md defines each. */
export interface Report
  extends
    HouseholdFields,
    NumberFields,
    ShareFields,
    PointFields,
    OverBucketsFields,
    CoverageFields,
    CompareFields {}

/** In the order of the contract. */
export const reportFields: FieldsOf<Report> = {
  ...householdFields,
  ...numberFields,
  ...shareFields,
  ...pointFields,
  ...overBucketsFields,
  ...coverageFields,
  ...compareFields,
};

type Group = Readonly<Record<string, ReportField<unknown>>>;

/** In the order of the problems. A group is parsed completely before its fields are checked against others. */
const groups: readonly Group[] = [
  householdFields,
  numberFields,
  shareFields,
  overBucketsFields,
  coverageFields,
  pointFields,
  compareFields,
];

/** Undefined if the request has none of the fields. Reports problems. */
export function parseReport(
  chartType: 'raw' | 'aggregate' | null,
  scope: ReportScope,
): Report | undefined {
  const sent = Object.keys(reportFields).filter((name) => scope.request[name] !== undefined);
  if (sent.length === 0) return undefined;
  if (chartType === 'raw') {
    for (const name of sent) scope.problems.add(name, 'Only with "chartType": "aggregate".');
    return undefined;
  }
  return Object.assign({}, ...groups.map((group) => parseGroup(group, scope))) as Report;
}

function parseGroup(group: Group, scope: ReportScope): object {
  const values = Object.entries(group).map(([name, field]) => {
    const value = scope.request[name];
    const parsed = value === undefined ? field.absent?.(scope) : field.parse(value, name, scope);
    return [name, parsed ?? undefined] as const;
  });
  for (const [name, value] of values) group[name]?.check?.(value, scope);
  return Object.fromEntries(values.filter(([, value]) => value !== undefined));
}
