import type { Database } from '../../services/shared/postgres/connect-postgres.ts';
import { localStack } from './local-stack.ts';
import { metadataClient, type MetadataClient } from './metadata-client.ts';
import { addAgent, addPackages, newTenant, type Tenant } from './tenant.ts';

export interface MetadataTenant {
  readonly tenant: Tenant;
  readonly database: Database;
  readonly client: MetadataClient;
  /** Keys in ClickHouse of the agents box-1, box-2, …: units 1, 2, …, MAC addresses 00:00:00:00:00:01, … */
  readonly agentKeys: readonly number[];
}

/**
 * An organisation with some agents, the ISPs Northwave (Fibre 500, Fibre 100) and Breeze (Mobile),
 * and names with colons: `North:wave` with `Fast:er`.
 */
export async function metadataTenant(agentCount = 3): Promise<MetadataTenant> {
  const { database, metadataUrl } = await localStack();
  const tenant = await newTenant(database);
  await addPackages(database, tenant.organisationId, {
    Northwave: ['Fibre 500', 'Fibre 100'],
    Breeze: ['Mobile'],
    'North:wave': ['Fast:er'],
  });
  const agentKeys: number[] = [];
  for (let i = 1; i <= agentCount; i++) {
    agentKeys.push(
      await addAgent(database, tenant.organisationId, {
        agentId: `box-${i}`,
        unitId: i,
        macAddress: `00:00:00:00:00:${String(i).padStart(2, '0')}`,
        country: 'GB',
      }),
    );
  }
  return { tenant, database, client: metadataClient(metadataUrl, tenant.metadataToken), agentKeys };
}

const daySeconds = 86_400;

/** Unix time in seconds, `days` days ago. */
export function daysAgo(days: number): number {
  return Math.floor(Date.now() / 1000) - days * daySeconds;
}
