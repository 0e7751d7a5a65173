import { resultsTable } from '../../catalog/result.ts';
import type { Column, Step } from '../../shared/sql/select.ts';
import type { MetricQuery } from '../request/metric-query.ts';
import { metadataColumns } from './field-value.ts';
import { filterCondition } from './filter-condition.ts';
import { measuredValue } from './measured-value.ts';
import type { SplitColumn } from './split-column.ts';
import { timeConditions } from './time-conditions.ts';

/** The first step: one row per selected result, with its value and splits. */
export function resultsStep(
  query: MetricQuery,
  splits: readonly SplitColumn[],
  columns: readonly Column[],
): Step {
  const { metric, prefilter, filters } = query;
  const filtered = filters.map(({ field }) => field);
  const selected = [
    ...splits.map(({ definition }) => definition),
    ...columns,
    ...measuredValue(metric),
  ];
  return {
    name: 'results',
    select: {
      define: metadataColumns(query.splits, filtered),
      // A split by unit may repeat a selected column.
      columns: [...new Set(selected)],
      from: resultsTable(metric.test),
      final: true,
      where: [
        ...timeConditions(query),
        metric.existsWhen,
        ...(prefilter ? [metric.prefilter] : []),
        ...filters.map(filterCondition),
      ].filter((condition) => condition !== '1'),
    },
  };
}
