import type { ClickHouseClient } from '@clickhouse/client';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import { organisationSettings } from '../execution/organisation-settings.ts';
import { type QueryLimits, querySettings } from '../execution/query-settings.ts';
import type { NumberRanges } from '../request/report/parse-number-field.ts';

/** Which custom keys of an organisation have numbers, and the lowest of each: of all periods, past and current. */
export class CustomNumbers {
  readonly #clickhouse: ClickHouseClient;
  readonly #limits: QueryLimits;

  constructor(clickhouse: ClickHouseClient, limits: QueryLimits) {
    this.#clickhouse = clickhouse;
    this.#limits = limits;
  }

  async of(organisationId: number, keys: readonly string[]): Promise<NumberRanges> {
    const rows = await queryRows<{ key: string; lowest: number }>(this.#clickhouse, numbersOfKeys, {
      query_params: { organisationId, keys },
      clickhouse_settings: {
        ...querySettings(this.#limits),
        ...organisationSettings(organisationId),
      },
    });
    return new Map(rows.map(({ key, lowest }) => [key, { lowest }]));
  }
}

const numbersOfKeys = `SELECT
    arrayJoin({keys:Array(String)}) AS key,
    min(toFloat64OrNull(custom[key])) AS lowest
FROM agent_metadata_current
WHERE organisation_id = {organisationId:UInt32} AND isFinite(toFloat64OrNull(custom[key]))
GROUP BY key`;
