import type { ClickHouseClient } from '@clickhouse/client';
import { LRUCache } from 'lru-cache';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import { organisationSettings } from '../execution/organisation-settings.ts';
import { readLatestPublication } from './latest-publication.ts';

interface ZonesContext {
  readonly organisationId: number;
}

/** The time zones that agents of an organisation have or had. Cached by the version of its metadata. */
export class AgentZones {
  readonly #cached: LRUCache<string, readonly string[], ZonesContext>;

  constructor(clickhouse: ClickHouseClient) {
    this.#cached = new LRUCache({
      max: 1_000,
      ignoreFetchAbort: true,
      fetchMethod: (_key, _stale, { context: { organisationId } }) =>
        readLatestPublication(clickhouse, organisationId, () =>
          readZones(clickhouse, organisationId),
        ),
    });
  }

  of(organisationId: number, metadataVersion: number): Promise<readonly string[]> {
    const key = `${organisationId}:${metadataVersion}`;
    return this.#cached.forceFetch(key, { context: { organisationId } });
  }
}

// Local time is UTC without a time zone.
const zonesQuery = `SELECT DISTINCT ifNull(timezone, 'UTC') AS zone
FROM agent_metadata_current
WHERE organisation_id = {organisation:UInt32}`;

async function readZones(
  clickhouse: ClickHouseClient,
  organisationId: number,
): Promise<readonly string[]> {
  const rows = await queryRows<{ zone: string }>(clickhouse, zonesQuery, {
    query_params: { organisation: organisationId },
    clickhouse_settings: organisationSettings(organisationId),
  });
  return rows.length === 0 ? ['UTC'] : rows.map(({ zone }) => zone);
}
