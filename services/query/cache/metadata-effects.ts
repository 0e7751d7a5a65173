import type { ClickHouseClient } from '@clickhouse/client';
import { organisationRows } from '../execution/organisation-rows.ts';

/** The time from which each of the last metadata versions differs from the one before it. */
export type MetadataEffects = ReadonlyMap<number, Date>;

/** A piece that is older than this many changes is computed again. */
const maxVersions = 1_000;

export async function readMetadataEffects(
  clickhouse: ClickHouseClient,
  organisationId: number,
  signal: AbortSignal,
): Promise<MetadataEffects> {
  const rows = await organisationRows<{ version: string | number; affected_s: number }>(
    clickhouse,
    organisationId,
    `SELECT version, toUnixTimestamp(min(affected_from)) AS affected_s
FROM metadata_version_effect
WHERE organisation_id = {organisation:UInt32}
GROUP BY version ORDER BY version DESC LIMIT ${maxVersions}`,
    { signal },
  );
  return new Map(rows.map((row) => [Number(row.version), new Date(row.affected_s * 1000)]));
}

/** Whether results before a time have the same metadata in two versions. A version without a row may differ anywhere. */
export function isSameBefore(
  end: Date,
  effects: MetadataEffects,
  from: number,
  to: number,
): boolean {
  if (from > to || to - from > maxVersions) return false;
  for (let version = from + 1; version <= to; version++) {
    const affectedFrom = effects.get(version);
    if (affectedFrom === undefined || affectedFrom < end) return false;
  }
  return true;
}
