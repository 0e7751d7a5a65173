import { endedAt } from '../../catalog/result.ts';
import { param, sql, type Expression } from '../../shared/sql/expression.ts';
import type { KnownAt } from '../request/metric-query.ts';

/**
 * Joins a result with the period of its agent that contains it, `known`, from the metadata that the query
 * service has copied for this query. Periods follow each other without gaps, so the last one that began
 * before the end of the test is the right one. An agent without a period has NULL and empty values.
 *
 * ClickHouse applies the conditions on the results before this join, as without it.
 */
export function knownMetadataJoin(
  attributes: readonly string[],
  organisationId: number,
  { changeId }: KnownAt,
): Expression {
  const organisation = param('organisation', 'UInt32', organisationId);
  const columns = [
    'agent_key AS known_agent',
    'valid_from AS known_from',
    ...['timezone', ...attributes].filter(hasHistory).map(columnOf),
  ];
  // Without a copy the query must fail: no metadata would be a wrong answer that looks right.
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

const notCopied = 'its metadata is not copied any more: send the request again';

function hasHistory(attribute: string): boolean {
  return attribute !== 'country';
}

function columnOf(attribute: string): string {
  return attribute === 'custom_json' ? 'toJSONString(custom) AS custom_json' : attribute;
}
