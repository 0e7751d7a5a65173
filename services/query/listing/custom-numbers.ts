import type { ClickHouseClient } from '@clickhouse/client';
import { readCache } from '../../shared/read-cache.ts';
import { readLatestPublication } from '../access/latest-publication.ts';
import { organisationRows } from '../execution/organisation-rows.ts';
import type { QueryLimits } from '../execution/query-settings.ts';
import type { NumberRanges } from '../request/parse-context.ts';

interface KeysOfOrganisation {
  readonly organisationId: number;
  readonly keys: readonly string[];
}

/** `metadataVersion` is published: the numbers are at least as new. */
export type CustomNumbers = (
  organisationId: number,
  metadataVersion: number,
  keys: readonly string[],
) => Promise<NumberRanges>;

/**
 * The custom keys of an organisation that have numbers in any period, past or current, with the lowest number of each.
 * Cached by the version of its metadata.
 */
export function customNumbers(clickhouse: ClickHouseClient, limits: QueryLimits): CustomNumbers {
  const read = async ({ organisationId, keys }: KeysOfOrganisation): Promise<NumberRanges> => {
    const options = { params: { keys }, limits };
    const rows = await organisationRows<{ key: string; lowest: number }>(
      clickhouse,
      organisationId,
      numbersOfKeys,
      options,
    );
    return new Map(rows.map(({ key, lowest }) => [key, { lowest }]));
  };
  const cached = readCache({ max: 1_000 }, (context: KeysOfOrganisation) =>
    readLatestPublication(clickhouse, context.organisationId, () => read(context)),
  );
  return (organisationId, metadataVersion, keys) =>
    cached.forceFetch(`${organisationId}:${metadataVersion}:${JSON.stringify(keys)}`, {
      context: { organisationId, keys },
    });
}

// ClickHouse before 26.7 reads texts such as "." and "e7" as 0.
const numbersOfKeys = `SELECT
    arrayJoin({keys:Array(String)}) AS key,
    min(toFloat64OrNull(custom[key])) AS lowest
FROM agent_metadata_current
WHERE organisation_id = {organisation:UInt32} AND isFinite(toFloat64OrNull(custom[key]))
    AND match(custom[key], '^[+-]?[.]?[0-9]')
GROUP BY key`;
