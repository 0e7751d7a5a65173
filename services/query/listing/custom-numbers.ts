import type { ClickHouseClient } from '@clickhouse/client';
import { LRUCache } from 'lru-cache';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import { readLatestPublication } from '../access/latest-publication.ts';
import { organisationSettings } from '../execution/organisation-settings.ts';
import { type QueryLimits, querySettings } from '../execution/query-settings.ts';
import type { NumberRanges } from '../request/report/parse-number-field.ts';

interface KeysOfOrganisation {
  readonly organisationId: number;
  readonly keys: readonly string[];
}

/**
 * Which custom keys of an organisation have numbers, and the lowest of each: of all periods, past and current.
 * Cached by the version of its metadata.
 */
export class CustomNumbers {
  readonly #cached: LRUCache<string, NumberRanges, KeysOfOrganisation>;

  constructor(clickhouse: ClickHouseClient, limits: QueryLimits) {
    this.#cached = new LRUCache({
      max: 1_000,
      ignoreFetchAbort: true,
      fetchMethod: (_key, _stale, { context }) =>
        readLatestPublication(clickhouse, context.organisationId, () =>
          readNumbers(clickhouse, limits, context),
        ),
    });
  }

  /** `metadataVersion` is published: the numbers are at least as new. */
  of(
    organisationId: number,
    metadataVersion: number,
    keys: readonly string[],
  ): Promise<NumberRanges> {
    const key = `${organisationId}:${metadataVersion}:${JSON.stringify(keys)}`;
    return this.#cached.forceFetch(key, { context: { organisationId, keys } });
  }
}

async function readNumbers(
  clickhouse: ClickHouseClient,
  limits: QueryLimits,
  { organisationId, keys }: KeysOfOrganisation,
): Promise<NumberRanges> {
  const rows = await queryRows<{ key: string; lowest: number }>(clickhouse, numbersOfKeys, {
    query_params: { organisationId, keys },
    clickhouse_settings: { ...querySettings(limits), ...organisationSettings(organisationId) },
  });
  return new Map(rows.map(({ key, lowest }) => [key, { lowest }]));
}

// ClickHouse before 26.7 reads texts such as "." and "e7" as 0.
const numbersOfKeys = `SELECT
    arrayJoin({keys:Array(String)}) AS key,
    min(toFloat64OrNull(custom[key])) AS lowest
FROM agent_metadata_current
WHERE organisation_id = {organisationId:UInt32} AND isFinite(toFloat64OrNull(custom[key]))
    AND match(custom[key], '^[+-]?[.]?[0-9]')
GROUP BY key`;
