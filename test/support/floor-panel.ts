import { changeMetadata } from './change-metadata.ts';
import { addDownloads } from './downloads.ts';
import type { LocalStack } from './local-stack.ts';
import { daysAgo } from './metadata-tenant.ts';
import { addAgent, type Tenant } from './tenant.ts';
import { waitUntilPublished } from './wait-until-published.ts';

/** Agents by the custom field `area`. */
export const areas = { east: 4, north: 5, south: 1, west: 3 } as const;

export const testedDay = new Date(daysAgo(3) * 1000).toISOString().slice(0, 10);

/**
 * Every agent has a result at 10:00, those of east and north also at 12:00. The speeds of east are 100 to 103 Mbit/s,
 * of north 200 to 204 and so on. Of the custom fields, `equal` is 2 for all; the others single out north-0: `mostly`
 * is a million for it and 1 for the others, `tiny` a millionth, `quarter` 0.25 and `double` 2. It has no `plan`. `pair`
 * is 6 for the two fastest, west-1 and west-2, and 1 for the others.
 */
export async function addFloorPanel(stack: LocalStack, tenant: Tenant): Promise<void> {
  const { database, clickhouse } = stack;
  const { organisationId } = tenant;
  let unitId = 0;
  for (const [i, [area, agents]] of Object.entries(areas).entries()) {
    for (let number = 0; number < agents; number++) {
      const agentId = `${area}-${number}`;
      const agentKey = await addAgent(database, organisationId, { agentId, unitId: ++unitId });
      const custom =
        agentId === 'north-0'
          ? { mostly: 1_000_000, tiny: 1e-6, quarter: 0.25, double: 2 }
          : { mostly: 1, tiny: 1, quarter: 1, double: 1, plan: 100 };
      const pair = area === 'west' && number > 0 ? 6 : 1;
      await changeMetadata(database, tenant, {
        agent: { agent_id: agentId },
        metadata: { timezone: 'UTC', custom: { area, equal: 2, pair, ...custom } },
        backdate_from: daysAgo(10),
      });
      const hours = area === 'east' || area === 'north' ? [10, 12] : [10];
      await addDownloads(
        clickhouse,
        organisationId,
        hours.map((hour) => ({
          agentKey,
          agentId,
          unitId,
          mbps: (i + 1) * 100 + number,
          dtime: `${testedDay} ${hour}:00:00`,
        })),
      );
    }
  }
  await waitUntilPublished(database, organisationId);
}
