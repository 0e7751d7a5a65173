import { changeMetadata } from '../support/change-metadata.ts';
import { addDownloads } from '../support/downloads.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { addAgent, addPackages, newTenant } from '../support/tenant.ts';
import { waitUntilPublished } from '../support/wait-until-published.ts';

const households = [
  {
    agentId: 'a',
    isp: 'Alpha',
    custom: { tier: 'gold', floor: 1, advertised: 100 },
    mbps: [80, 90],
  },
  {
    agentId: 'b',
    isp: 'Beta',
    custom: { tier: 'silver', floor: 2, advertised: 50 },
    mbps: [25, 45],
  },
] as const;

/** What each generated client must read: text and number columns, a point of a part of its day, a report. */
export const expected = {
  daily: [
    ['Alpha', 1, 85, true],
    ['Beta', 2, 35, true],
  ],
  raw: [
    ['a', 'gold', 80],
    ['b', 'silver', 25],
    ['a', 'gold', 90],
    ['b', 'silver', 45],
  ],
  report: [[77.5, 0.5]],
  values: ['Alpha', 'Beta'],
  exported: 2,
  metadata: ['UTC', 'gold', 1],
};

/** Two households with results on one day. Returns the environment of the programs. */
export async function addClientPanel(stack: LocalStack): Promise<Readonly<Record<string, string>>> {
  const { database, clickhouse, queryUrl, metadataUrl } = stack;
  const tenant = await newTenant(database);
  const tested = new Date(Date.now() - 3 * 86_400_000);
  const day = tested.toISOString().slice(0, 10);
  await addPackages(database, tenant.organisationId, { Alpha: ['Basic'], Beta: ['Basic'] });
  for (const [i, { agentId, isp, custom, mbps }] of households.entries()) {
    const agentKey = await addAgent(database, tenant.organisationId, { agentId });
    await changeMetadata(database, tenant, {
      agent: { agent_id: agentId },
      metadata: { package: `${isp}:Basic`, timezone: 'UTC', custom },
      backdate_from: Math.floor(tested.getTime() / 1000) - 86_400,
    });
    const downloads = mbps.map((speed, hour) => ({
      agentKey,
      agentId,
      mbps: speed,
      dtime: `${day} 1${hour}:0${i}:00`,
    }));
    await addDownloads(clickhouse, tenant.organisationId, downloads);
  }
  await waitUntilPublished(database, tenant.organisationId);
  return {
    QUERY_URL: queryUrl,
    METADATA_URL: metadataUrl,
    DATA_TOKEN: tenant.dataToken,
    METADATA_TOKEN: tenant.metadataToken,
    FROM: `${day} 00:00`,
    TO: `${day} 20:00`,
  };
}
