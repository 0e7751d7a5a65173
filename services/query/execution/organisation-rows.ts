import type { ClickHouseClient } from '@clickhouse/client';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import { organisationSettings } from './organisation-settings.ts';
import { type QueryLimits, querySettings } from './query-settings.ts';

interface Options {
  readonly params?: Readonly<Record<string, unknown>>;
  /** Default: those of the role. */
  readonly limits?: QueryLimits;
  readonly signal?: AbortSignal;
}

/** The rows of a query over the data of an organisation, whose id is the parameter `organisation`. */
export function organisationRows<Row>(
  clickhouse: ClickHouseClient,
  organisationId: number,
  query: string,
  { params, limits, signal }: Options = {},
): Promise<Row[]> {
  return queryRows<Row>(clickhouse, query, {
    query_params: { organisation: organisationId, ...params },
    clickhouse_settings: {
      ...(limits && querySettings(limits)),
      ...organisationSettings(organisationId),
    },
    ...(signal && { abort_signal: signal }),
  });
}
