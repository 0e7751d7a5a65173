import type { Field } from '../../../catalog/field.ts';
import { sql, type Expression } from '../../../shared/sql/expression.ts';
import { as, type Column, type Step } from '../../../shared/sql/select.ts';
import type { AggregateMetricQuery } from '../../request/metric-query.ts';
import { metadataForm, type MetadataForm, fieldValue, publishedNumber } from '../field-value.ts';
import { windowCondition } from '../window-condition.ts';

/** The fields that a report reads besides splits and filters. */
export function reportedFields({ report }: AggregateMetricQuery): readonly Field[] {
  return [report?.relativeTo?.field, report?.weight].filter((field) => field !== undefined);
}

/** The attributes of the metadata that a report reads besides those of fields. */
export function reportedAttributes(query: AggregateMetricQuery): readonly string[] {
  const { report } = query;
  if (report === undefined || report.switchers === 'asOf') return [];
  return metadataForm(query) === 'values' ? ['isp', 'package'] : ['plan_hash'];
}

/**
 * Whether the results outside of the window are needed too: for percentiles of the whole range, and for how
 * long a household had a package.
 */
export function readsWholeRange({ window, report }: AggregateMetricQuery): boolean {
  if (window === undefined || report === undefined) return false;
  return report.household?.trim?.over === 'range' || report.switchers !== 'asOf';
}

/** Further columns of the results. */
export function reportColumns(query: AggregateMetricQuery): readonly Column[] {
  const { report, window } = query;
  if (report === undefined) return [];
  const { relativeTo, weight, household, switchers } = report;
  const form = metadataForm(query);
  const usesDays = switchers !== 'asOf' || (household?.minDays ?? 0) > 0;
  const usesTime = household !== undefined || switchers !== 'asOf';
  return [
    ...(relativeTo === undefined
      ? []
      : [as(positiveNumber(relativeTo.field, form), 'relative_to')]),
    ...(weight === undefined ? [] : [as(positiveNumber(weight, form), 'household_weight')]),
    ...(usesTime ? ['ended_at'] : []),
    ...(usesDays ? [as('toDate(local_time)', 'local_day')] : []),
    ...(switchers === 'asOf' ? [] : [as(stayOf(form), 'stay')]),
    ...(readsWholeRange(query) && window ? [as(windowCondition(window), 'in_window')] : []),
  ];
}

/** A hash of ISP and package, because results are grouped by it: only the few stays of one agent are compared. */
function stayOf(form: MetadataForm): string {
  return form === 'values'
    ? "sipHash64(ifNull(metadata.isp, ''), ifNull(metadata.package, ''))"
    : 'metadata.plan_hash';
}

/** NULL if the value is missing, not a number, infinite, 0 or negative. */
function positiveNumber(field: Field, form: MetadataForm): Expression {
  const { source } = field;
  if (form === 'hashes' && source.kind === 'custom') return publishedNumber(source.key);
  return sql`arrayFirstOrNull(
    number -> isFinite(number) AND number > 0,
    [toFloat64OrNull(ifNull(
        ${fieldValue(field, form)},
        ''))])`;
}

/**
 * Steps that add `is_kept`: whether the result belongs to the household's longest stay with an ISP and package,
 * by local days with results, the later one of equally long; or whether the household had only one.
 */
export function switcherSteps({ report }: AggregateMetricQuery): readonly Step[] {
  if (report === undefined || report.switchers === 'asOf') return [];
  const isKept =
    report.switchers === 'longest'
      ? '(agent_key, stay) IN (SELECT agent_key, longest FROM stays)'
      : 'agent_key IN (SELECT agent_key FROM stays WHERE stay_count = 1)';
  return [
    {
      name: 'stay_lengths',
      select: {
        columns: [
          'agent_key',
          'stay',
          as('uniqExact(local_day)', 'days'),
          as('max(ended_at)', 'last_end'),
        ],
        from: 'results',
        groupBy: ['agent_key', 'stay'],
      },
    },
    {
      name: 'stays',
      select: {
        columns: [
          'agent_key',
          as('argMax(stay, (days, last_end))', 'longest'),
          as('count()', 'stay_count'),
        ],
        from: 'stay_lengths',
        groupBy: ['agent_key'],
      },
    },
    { name: 'kept', select: { columns: ['*', as(isKept, 'is_kept')], from: 'results' } },
  ];
}

/** The last step of `switcherSteps`, or the results themselves. */
export function afterSwitchers({ report }: AggregateMetricQuery): 'results' | 'kept' {
  return report === undefined || report.switchers === 'asOf' ? 'results' : 'kept';
}
