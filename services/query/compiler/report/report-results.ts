import { isExcluded } from '../../../catalog/excluded-metrics.ts';
import type { Field } from '../../../catalog/field.ts';
import { sql, type Expression } from '../../../shared/sql/expression.ts';
import { as, type Column, nameOf, type Step } from '../../../shared/sql/select.ts';
import type {
  AggregateMetricQuery,
  MetricFilter,
  MetricQuery,
} from '../../request/metric-query.ts';
import type { Trim } from '../../request/report/report.ts';
import { allOf } from '../any-of.ts';
import { metadataForm, type MetadataForm, fieldValue, publishedNumber } from '../field-value.ts';
import { filterCondition } from '../filter-condition.ts';
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

/** The flag of a row that has a value. */
export const hasValue = 'has_value';

/** The flags of a row whether it has a value or not. */
export function rowFlags(query: AggregateMetricQuery): readonly string[] {
  return pointFlags(query)
    .map(nameOf)
    .filter((flag) => flag !== hasValue);
}

/**
 * Flags of the rows of a report, each 1 for a result of the points. A row may have no value. Stays and the bounds of a trim need the other results of the
 * household too, outside of the window and with other metadata: then the window and the filters by metadata become
 * flags. Otherwise they are conditions of the first step.
 */
export function pointFlags(query: AggregateMetricQuery): readonly Column[] {
  const late = query.filters.filter((filter) => isLate(filter, query));
  const conditions = late.map((filter) =>
    filterCondition(filter, query.organisationId, metadataForm(query)),
  );
  return [
    as(query.metric.existsWhen, hasValue),
    ...(query.window && isWindowLate(query)
      ? [as(windowCondition(query.window), 'in_window')]
      : []),
    ...(late.length === 0 ? [] : [as(sql`ifNull(${allOf(conditions)}, 0)`, 'is_selected')]),
  ];
}

export function isWindowLate(query: MetricQuery): boolean {
  return hasStays(query) || isOverRange(query);
}

/** `agent`, `unit` and `set` do not divide a household, and columns of results are chosen before stays. */
export function isLate({ field }: MetricFilter, query: MetricQuery): boolean {
  const isOfMetadata = field.source.kind === 'metadata' || field.source.kind === 'custom';
  return isOfMetadata && (hasStays(query) || trimOf(query) !== undefined);
}

function hasStays(query: MetricQuery): boolean {
  return query.chartType === 'aggregate' && (query.report?.switchers ?? 'asOf') !== 'asOf';
}

function trimOf(query: MetricQuery): Trim | undefined {
  return query.chartType === 'aggregate' ? query.report?.household?.trim : undefined;
}

function isOverRange(query: MetricQuery): boolean {
  return trimOf(query)?.over === 'range';
}

/** SQL of whether a row is a result of the points. */
export function isOfPoint(query: AggregateMetricQuery): string {
  return pointFlags(query).map(nameOf).join(' AND ');
}

/** SQL of whether a trim computes its bounds from a row. */
export function isOfBounds(query: AggregateMetricQuery): string {
  const isUsed = (flag: string) => flag === 'in_window' && !isOverRange(query);
  return [hasValue, ...rowFlags(query).filter(isUsed)].join(' AND ');
}

/** Further columns of the results. */
export function reportColumns(query: AggregateMetricQuery): readonly Column[] {
  const { report } = query;
  if (report === undefined) return [];
  const { relativeTo, weight, household, switchers, exclusions } = report;
  const form = metadataForm(query);
  const usesDays = switchers !== 'asOf' || (household?.minDays ?? 0) > 0;
  const usesTime = household !== undefined || switchers !== 'asOf';
  return [
    ...(relativeTo === undefined
      ? []
      : [as(positiveNumber(relativeTo.field, form), 'relative_to')]),
    ...(weight === undefined ? [] : [as(positiveNumber(weight, form), 'household_weight')]),
    ...(exclusions === undefined
      ? []
      : [as(sql`NOT ${isExcluded(query.metric, fieldValue(exclusions, form))}`, 'is_included')]),
    ...(usesTime ? ['ended_at'] : []),
    ...(usesDays ? [as('toDate(local_time)', 'local_day')] : []),
    ...(switchers === 'asOf' ? [] : [as(stayOf(form), 'stay')]),
    ...pointFlags(query),
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
        where: [hasValue],
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
