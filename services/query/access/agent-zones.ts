import type { ClickHouseClient } from '@clickhouse/client';
import { readCache } from '../../shared/read-cache.ts';
import { organisationRows } from '../execution/organisation-rows.ts';
import { readLatestPublication } from './latest-publication.ts';

/** The time zones that agents of an organisation have or had. */
export type AgentZones = (
  organisationId: number,
  metadataVersion: number,
) => Promise<readonly string[]>;

/** Cached by the version of the metadata. */
export function agentZones(clickhouse: ClickHouseClient): AgentZones {
  const cached = readCache({ max: 1_000 }, (organisationId: number) =>
    readLatestPublication(clickhouse, organisationId, () => readZones(clickhouse, organisationId)),
  );
  return (organisationId, metadataVersion) =>
    cached.forceFetch(`${organisationId}:${metadataVersion}`, { context: organisationId });
}

// Local time is UTC without a time zone.
const zonesQuery = `SELECT DISTINCT ifNull(timezone, 'UTC') AS zone
FROM agent_metadata_current
WHERE organisation_id = {organisation:UInt32}`;

async function readZones(
  clickhouse: ClickHouseClient,
  organisationId: number,
): Promise<readonly string[]> {
  const rows = await organisationRows<{ zone: string }>(clickhouse, organisationId, zonesQuery);
  return rows.length === 0 ? ['UTC'] : rows.map(({ zone }) => zone);
}
