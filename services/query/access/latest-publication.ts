import type { ClickHouseClient } from '@clickhouse/client';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import { organisationSettings } from '../execution/organisation-settings.ts';

/** The publication of an organisation's metadata in ClickHouse, or the snapshot of 0.1.0 while it has none. */
export async function latestPublication(
  clickhouse: ClickHouseClient,
  organisationId: number,
): Promise<string> {
  const [latest] = await queryRows<{ version: string }>(clickhouse, latestPublicationQuery, {
    query_params: { organisationId },
    clickhouse_settings: organisationSettings(organisationId),
  });
  return latest?.version ?? '0';
}

/** Parameter: organisationId. */
export const latestPublicationQuery = `SELECT toString(if(count() = 0, (SELECT max(version) FROM agent_metadata_version), max(publication))) AS version
FROM (
    SELECT organisation_id, publication FROM agent_metadata_publication
    UNION ALL
    SELECT organisation_id, publication FROM agent_metadata_change_publication
) WHERE organisation_id = {organisationId:UInt32}`;

/**
 * Reads agent_metadata_current. The publisher drops a replaced publication, and a read of it then misses rows:
 * it is repeated if the publication is not the latest afterwards.
 */
export async function readLatestPublication<Value>(
  clickhouse: ClickHouseClient,
  organisationId: number,
  read: () => Promise<Value>,
): Promise<Value> {
  let before = await latestPublication(clickhouse, organisationId);
  for (;;) {
    const value = await read();
    const after = await latestPublication(clickhouse, organisationId);
    if (after === before) return value;
    before = after;
  }
}
