import type { ClickHouseClient } from '@clickhouse/client';
import { testTables } from '../../services/catalog/test-tables.ts';
import type { Database } from '../../services/shared/postgres/connect-postgres.ts';
import { changeMetadata } from './change-metadata.ts';
import { daysAgo } from './metadata-tenant.ts';
import { addAgent, type Tenant } from './tenant.ts';

export interface Household {
  readonly agentId: string;
  readonly unitId: number;
  readonly macAddress: string;
}

interface Stores {
  readonly database: Database;
  readonly clickhouse: ClickHouseClient;
}

/** Adds an agent with a history, superseded periods among it, and a result of every test. Returns its key. */
export async function addHousehold(
  stores: Stores,
  tenant: Tenant,
  household: Household,
): Promise<number> {
  const { database, clickhouse } = stores;
  const { agentId, unitId, macAddress } = household;
  const agentKey = await addAgent(database, tenant.organisationId, household);
  // Read once: the third change begins in the same second as the first, and supersedes it.
  const [threeDaysAgo, twoDaysAgo] = [daysAgo(3), daysAgo(2)];
  const changes = [
    { agent: { agent_id: agentId }, from: threeDaysAgo },
    { agent: { unit_id: unitId }, from: twoDaysAgo },
    { agent: { mac_address: macAddress.toLowerCase().replaceAll(':', '') }, from: threeDaysAgo },
  ];
  for (const [i, { agent, from }] of changes.entries()) {
    await changeMetadata(database, tenant, {
      agent,
      metadata: { custom: { customer: `${agentId} ${i}` } },
      backdate_from: from,
    });
  }
  await addResults(clickhouse, tenant, household, agentKey);
  return agentKey;
}

/** Adds a result of every test. */
export async function addResults(
  clickhouse: ClickHouseClient,
  { organisationId }: Tenant,
  { agentId, unitId }: Household,
  agentKey: number,
): Promise<void> {
  for (const key of Object.keys(testTables)) {
    await clickhouse.insert({
      table: `test_${key}`,
      values: [
        {
          organisation_id: organisationId,
          agent_key: agentKey,
          agent_id: agentId,
          unit_id: unitId,
          dtime: '2026-01-10 10:00:00',
          successes: 1,
        },
      ],
      format: 'JSONEachRow',
      clickhouse_settings: { input_format_skip_unknown_fields: 1 },
    });
  }
}
