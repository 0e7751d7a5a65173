import { isExcluded } from '../../catalog/excluded-metrics.ts';
import { resultsTable } from '../../catalog/result.ts';
import { sql } from '../../shared/sql/expression.ts';
import type { Column, Step } from '../../shared/sql/select.ts';
import type { MetricQuery } from '../request/metric-query.ts';
import {
  customConditions,
  fieldValue,
  metadataForm,
  metadataAttributes,
  metadataColumns,
} from './field-value.ts';
import { filterCondition } from './filter-condition.ts';
import { knownMetadataJoin } from './known-metadata-join.ts';
import { measuredValue } from './measured-value.ts';
import type { SplitColumn } from './split-column.ts';
import {
  isLate,
  isWindowLate,
  reportedAttributes,
  reportedFields,
} from './report/report-results.ts';
import { timeConditions } from './time-conditions.ts';
import { windowCondition } from './window-condition.ts';

/** The first step: one row per selected result, with its value and splits. */
export function resultsStep(
  query: MetricQuery,
  splits: readonly SplitColumn[],
  columns: readonly Column[],
): Step {
  const { metric, filters, knownAt } = query;
  const reported = query.chartType === 'raw' ? [] : reportedFields(query);
  const form = metadataForm(query);
  const { exclusions } = query;
  const fields = [
    ...filters.map(({ field }) => field),
    ...reported,
    ...(exclusions === undefined ? [] : [exclusions]),
  ];
  const attributes = [
    ...new Set([
      ...metadataAttributes(query.splits, fields, form),
      ...(query.chartType === 'raw' ? [] : reportedAttributes(query)),
    ]),
  ];
  const selected = [
    ...splits.map(({ definition }) => definition),
    ...columns,
    ...measuredValue(metric),
  ];
  return {
    name: 'results',
    select: {
      define: metadataColumns(attributes, knownAt && 'known'),
      // A split by unit may repeat a selected column.
      columns: [...new Set(selected)],
      from: resultsTable(metric.test),
      final: true,
      ...(knownAt && { join: knownMetadataJoin(attributes, query.organisationId, knownAt) }),
      where: [
        ...timeConditions(query),
        ...(query.window === undefined || isWindowLate(query)
          ? []
          : [windowCondition(query.window)]),
        ...resultConditions(query),
        ...(exclusions === undefined || isReport(query)
          ? []
          : [sql`NOT ${isExcluded(metric, fieldValue(exclusions, form))}`]),
        ...filters
          .filter((filter) => !isLate(filter, query))
          .map((filter) => filterCondition(filter, query.organisationId, form)),
        ...customConditions(attributes),
      ].filter((condition) => condition !== '1'),
    },
  };
}

/** A report counts what it leaves out. */
function isReport(query: MetricQuery): boolean {
  return query.chartType === 'aggregate' && query.report !== undefined;
}

/** Reports also read the rows without a value, to count households that have no others. */
function resultConditions(query: MetricQuery): readonly string[] {
  const { onlyWhen, existsWhen, prefilter } = query.metric;
  if (!isReport(query) || existsWhen === '1')
    return [existsWhen, ...(query.prefilter ? [prefilter] : [])];
  return [onlyWhen, ...(query.prefilter ? [`(NOT (${existsWhen}) OR (${prefilter}))`] : [])];
}
