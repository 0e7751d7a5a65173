import type { ClickHouseClient } from '@clickhouse/client';
import type { Field } from '../../catalog/field.ts';
import { searchAgentIds, searchUnitIds } from '../../registry/search-agents.ts';
import type { Database } from '../../shared/postgres/connect-postgres.ts';
import { organisationSettings } from '../execution/organisation-settings.ts';

export interface ValueSearch {
  readonly organisationId: number;
  readonly field: Field;
  /** Prefix of the values, case-insensitive for A to Z; empty: all values. */
  readonly search: string;
  readonly limit: number;
}

interface Stores {
  readonly clickhouse: ClickHouseClient;
  readonly database: Database;
}

/** The organisation's values of a field, sorted, for autocomplete. */
export function filterValues(stores: Stores, search: ValueSearch): Promise<readonly string[]> {
  const { source } = search.field;
  // The databases refuse NUL, so no stored text contains it.
  if (search.search.includes('\0')) return Promise.resolve([]);
  if (source.kind !== 'column') return metadataValues(stores.clickhouse, search);
  if (source.column === 'agent_id') return searchAgentIds(stores.database, search);
  if (source.column === 'unit_id') return searchUnitIds(stores.database, search);
  return resultValues(stores.clickhouse, search);
}

/** Values of the test tables' columns, collected by the views filter_values_<test>. */
async function resultValues(
  clickhouse: ClickHouseClient,
  { organisationId, field, search, limit }: ValueSearch,
): Promise<readonly string[]> {
  const isNumber = field.source.kind === 'column' && field.source.type === 'number';
  return valuesOf(clickhouse, organisationId, {
    query: `SELECT value FROM filter_values
WHERE organisation_id = {organisation:UInt32} AND field = {field:String}
  AND startsWith(value_lower, lower({search:String}))
GROUP BY value_lower, value
ORDER BY ${isNumber ? 'toFloat64OrZero(value)' : 'value_lower, value'}
LIMIT {limit:UInt32}`,
    params: { organisation: organisationId, field: field.name, search, limit },
  });
}

/** Metadata values that any household has or had, from the latest snapshot. */
async function metadataValues(
  clickhouse: ClickHouseClient,
  { organisationId, field, search, limit }: ValueSearch,
): Promise<readonly string[]> {
  const { source } = field;
  const [value, name] =
    source.kind === 'custom'
      ? ['custom[{name:String}]', source.key]
      : ["ifNull({name:Identifier}, '')", source.kind === 'metadata' ? source.attribute : ''];
  return valuesOf(clickhouse, organisationId, {
    query: `SELECT ${value} AS value FROM agent_metadata_current
WHERE organisation_id = {organisation:UInt32}
  AND value != '' AND startsWith(lower(value), lower({search:String}))
GROUP BY value
ORDER BY lower(value), value
LIMIT {limit:UInt32}`,
    params: { organisation: organisationId, name, search, limit },
  });
}

async function valuesOf(
  clickhouse: ClickHouseClient,
  organisationId: number,
  { query, params }: { query: string; params: Record<string, string | number> },
): Promise<readonly string[]> {
  const result = await clickhouse.query({
    query,
    query_params: params,
    format: 'JSONEachRow',
    clickhouse_settings: {
      readonly: '2',
      max_execution_time: listingTimeoutS,
      ...organisationSettings(organisationId),
    },
  });
  return (await result.json<{ value: string }>()).map(({ value }) => value);
}

// Autocomplete is useless after more than this.
const listingTimeoutS = 10;
