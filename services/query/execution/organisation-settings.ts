import type { ClickHouseSettings } from '@clickhouse/client';

/**
 * Settings of every query over the data of an organisation. With the role of deploy/clickhouse/roles/query.sql a
 * query without them sees no rows of any organisation.
 */
export function organisationSettings(organisationId: number, route?: string): ClickHouseSettings {
  return {
    // The row policies of the role read the organisation from here. The query log of ClickHouse keeps it.
    log_comment: JSON.stringify({ organisation: organisationId, route }),
    // The quota of the role applies per organisation, not per user.
    quota_key: String(organisationId),
  };
}
