import {
  assumedValue,
  endedAt,
  metricValue,
  ownWeight,
  resultsView,
} from '../../catalog/result.ts';
import type { TestKey } from '../../catalog/test-tables.ts';
import { param, sql, type Expression } from '../../shared/sql/expression.ts';
import { as, type Column, nameOf, step, type Step } from '../../shared/sql/select.ts';
import type { MetricQuery } from '../request/metric-query.ts';
import type { KnownAt } from '../request/selection.ts';
import { customConditions, metadataAttributes, metadataColumns } from './field-value.ts';
import type { SplitColumn } from './split-column.ts';
import type { Asked, StageUse } from './stage.ts';

/** The first step: one row per selected result, with its value and splits, and what the stages add. */
export function resultsStep(
  { query, form }: Asked,
  uses: readonly StageUse[],
  splits: readonly SplitColumn[],
  columns: readonly Column[],
): Step {
  const { metric, knownAt } = query;
  const parts = uses.flatMap(({ results }) => results ?? []);
  const fields = parts.flatMap((part) => part.fields ?? []);
  const attributes = [
    ...new Set([
      ...metadataAttributes(query.splits, fields, form),
      ...parts.flatMap((part) => part.attributes ?? []),
    ]),
  ];
  const selected = [
    ...splits.map(({ definition }) => definition),
    ...columns,
    ...parts.flatMap((part) => part.columns ?? []),
    ...parts.flatMap((part) => part.flags ?? []),
    ...measuredValue(query),
  ];
  // Conditions that look up metadata come last, because they cost more.
  const ofCost = (isCostly: boolean) =>
    parts.filter((part) => (part.fields ?? []).length > 0 === isCostly);
  const where = [...ofCost(false), ...ofCost(true)].flatMap((part) => part.where ?? []);
  const sentences = parts.flatMap(({ why }) => why ?? []);
  return step('results', sentences.join('\n'), {
    define: metadataColumns(attributes, form),
    // A split by unit may repeat a selected column, and several stages may need the same one.
    columns: [...new Map(selected.map((column) => [nameOf(column), column])).values()],
    from: knownAt ? resultsWithoutMetadata(metric.test) : resultsView(metric.test),
    ...(knownAt && { join: knownMetadataJoin(attributes, query.organisationId, knownAt) }),
    where: [...where.filter((condition) => condition !== '1'), ...customConditions(attributes)],
  });
}

/** The value of a result, and for a ratio metric its weight, the denominator. */
function measuredValue({ metric, chartType }: MetricQuery): readonly Column[] {
  return [
    as(chartType === 'raw' ? metricValue(metric) : assumedValue(metric), 'value'),
    ...(metric.measure.kind === 'ratio' ? [as(ownWeight(metric), 'own_weight')] : []),
  ];
}

/**
 * Joins a result with the period of its agent that contains it, `known`, from the metadata that the query
 * service has copied for this query. Periods follow each other without gaps, so the last one that began
 * before the end of the test is the right one. An agent without a period has NULL and empty values.
 *
 * ClickHouse applies the conditions on the results before this join.
 */
function knownMetadataJoin(
  attributes: readonly string[],
  organisationId: number,
  { changeId }: KnownAt,
): Expression {
  const organisation = param('organisation', 'UInt32', organisationId);
  const columns = [
    'agent_key AS known_agent',
    'valid_from AS known_from',
    ...['timezone', ...attributes]
      // A country has no history.
      .filter((name) => name !== 'country')
      .map((name) => (name === 'custom_json' ? 'toJSONString(custom) AS custom_json' : name)),
  ];
  // Without a copy the query must fail. Otherwise all metadata would silently be missing.
  return sql`ASOF LEFT JOIN (
    SELECT
        ${columns.join(',\n        ')}
    FROM agent_metadata_known_at
    WHERE organisation_id = ${organisation} AND fill = (
        SELECT argMax(fill, filled_at)
        FROM agent_metadata_known_at_fill
        WHERE organisation_id = ${organisation} AND change_id = ${param('change', 'UInt64', changeId)}
        HAVING throwIf(count() = 0, '${notCopied}') = 0
    )
) AS known ON known_agent = agent_key AND known_from <= ${endedAt}`;
}

/** The results without the columns that knownAt changes, whose names in the view would hide those of the query. */
function resultsWithoutMetadata(test: TestKey): string {
  return `(SELECT * EXCEPT (isp, package, timezone, local_time) FROM ${resultsView(test)}) AS results_of_test`;
}

const notCopied = 'its copied metadata has expired: send the request again';
