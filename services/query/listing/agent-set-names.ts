import type { ClickHouseClient } from '@clickhouse/client';
import { queryRows } from '../../shared/clickhouse/query-rows.ts';
import { organisationSettings } from '../execution/organisation-settings.ts';

/** The sets of an organisation that filters can use. */
export async function agentSetNames(
  clickhouse: ClickHouseClient,
  organisationId: number,
): Promise<readonly string[]> {
  const rows = await queryRows<{ name: string }>(
    clickhouse,
    'SELECT name FROM agent_set_current WHERE organisation_id = {organisationId:UInt32} ORDER BY name',
    {
      query_params: { organisationId },
      clickhouse_settings: organisationSettings(organisationId),
    },
  );
  return rows.map(({ name }) => name);
}
