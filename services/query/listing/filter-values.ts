import type { ClickHouseClient } from '@clickhouse/client';
import { param, sql, type Expression } from '../../shared/sql/expression.ts';
import { paramValues, printQuery } from '../../shared/sql/print-query.ts';
import { as } from '../../shared/sql/select.ts';
import { organisationRows } from '../execution/organisation-rows.ts';
import type { QueryLimits } from '../execution/query-settings.ts';
import { valueMatch } from './value-match.ts';
import { type ValueRange, valueSource } from './value-source.ts';

export interface ValueSearch extends ValueRange {
  /** Words that a value contains, in any case; empty: all values. */
  readonly search: string;
  /** The last value of the previous page. */
  readonly after?: string | undefined;
  readonly limit: number;
}

/**
 * A page of the values of a field, for autocomplete: values equal to the search first, then those that start
 * with it, those with a word that does, and the others, each in order of the alphabet or of their numbers.
 *
 * A page starts after a value and not at a number of values, so values that are added or removed between two
 * requests neither repeat nor hide others.
 */
export async function filterValues(
  clickhouse: ClickHouseClient,
  search: ValueSearch,
  limits: QueryLimits,
) {
  // The databases refuse NUL, so no stored text contains it.
  if (search.search.includes('\0')) return { values: [] as string[], hasMore: false };
  const { sql: query, params } = printQuery(valueQuery(search));
  const rows = await organisationRows<{ value: string }>(
    clickhouse,
    search.organisationId,
    `${query}\nLIMIT {limit:UInt32}`,
    {
      params: { ...paramValues(params), limit: search.limit + 1 },
      limits: { ...limits, queryTimeoutMs: listingTimeoutMs },
    },
  );
  const values = rows.map(({ value }) => value);
  return { values: values.slice(0, search.limit), hasMore: values.length > search.limit };
}

// Autocomplete is useless after more than this.
const listingTimeoutMs = 10_000;

function valueQuery(search: ValueSearch) {
  const { source } = search.field;
  const isAgentId = source.kind === 'column' && source.column === 'agent_id';
  const isNumber = source.kind === 'column' && source.type !== 'text';
  const match = valueMatch(search.search, { isAgentId });
  const sortKey = (text: Expression): Expression =>
    isNumber ? sql`toUInt64OrZero(${text})` : sql`lower(${text})`;
  const ranked = {
    columns: ['value', as(match.rank('value'), 'rank'), as(sortKey('value'), 'sort_key')],
    where: match.conditions,
  };
  return {
    steps: [...valueSource(search), { name: 'ranked', select: ranked }],
    select: {
      columns: ['value'],
      where: search.after === undefined ? [] : [isAfter(search.after, match.rank, sortKey)],
      orderBy: ['rank', 'sort_key', 'value'],
    },
  };
}

function isAfter(
  last: string,
  rank: (text: Expression) => Expression,
  sortKey: (text: Expression) => Expression,
): Expression {
  // No stored value contains NUL, so the same values come after the text before it.
  const [beforeNul = ''] = last.split('\0', 1);
  const after = param('after', 'String', beforeNul);
  return sql`(rank, sort_key, value) > (${rank(after)}, ${sortKey(after)}, ${after})`;
}
