import fc from 'fast-check';
import { randomPanel } from '../property/random-panel.ts';
import { requestArbitrary } from '../property/request-arbitrary.ts';
import { storePanel } from '../property/store-panel.ts';
import type { MetricRequest } from '../reference/metric-request.ts';
import { ownAgent } from '../security/security-fixture.ts';
import { DataApi } from '../support/data-api.ts';
import { addDownloads, addManyDownloads } from '../support/downloads.ts';
import type { LocalStack } from '../support/local-stack.ts';
import { metadataClient, type MetadataClient } from '../support/metadata-client.ts';
import { addAgent, newTenantToken, type Tenant } from '../support/tenant.ts';
import { daysAgo } from '../support/metadata-tenant.ts';

/** An organisation with a random panel, an agent whose changes are watched, and many results. */
export interface SoakOrganisation {
  readonly tenant: Tenant;
  readonly data: DataApi;
  readonly metadata: MetadataClient;
  /** May send results. */
  readonly ingestToken: string;
  readonly revokedToken: string;
  /** Valid requests for the panel: all metrics, aggregations, splits and filters. */
  readonly requests: readonly [MetricRequest, ...MetricRequest[]];
  readonly units: readonly [number, ...number[]];
}

/** The agent whose change is watched until queries show it. */
export const watchedUnit = 77_001;
/** The agent whose results are sent to the ingestion service. */
export const sendingUnit = 77_002;
/** From before the watched agent's result on. */
export const watchedFromUtcS = daysAgo(20);

/** Results per organisation, for large responses and files. */
const manyRows = 100_000;
export const manyRange = { from: '2026-01-01', to: '2026-01-31' };

const requestCount = 2_000;

export async function soakOrganisation(stack: LocalStack, seed: number): Promise<SoakOrganisation> {
  const { database, clickhouse, queryUrl, metadataUrl } = stack;
  const panel = randomPanel(seed);
  const tenant = await storePanel(stack, panel);
  const { organisationId, dataToken, metadataToken } = tenant;
  await addManyDownloads(clickhouse, organisationId, manyRows);
  await addAgent(database, organisationId, ownAgent);
  const watched = { agentId: 'watched', unitId: watchedUnit };
  const agentKey = await addAgent(database, organisationId, watched);
  await addAgent(database, organisationId, { agentId: 'sending', unitId: sendingUnit });
  const dtime = new Date(daysAgo(10) * 1000).toISOString().slice(0, 19).replace('T', ' ');
  await addDownloads(clickhouse, organisationId, [{ ...watched, agentKey, dtime, mbps: 8 }]);
  const requests = fc.sample(requestArbitrary(panel), { numRuns: requestCount, seed });
  return {
    tenant,
    data: new DataApi(queryUrl, dataToken),
    metadata: metadataClient(metadataUrl, metadataToken),
    ingestToken: await newTenantToken(database, organisationId, 'data', {
      scopes: ['results:write'],
    }),
    revokedToken: await newTenantToken(database, organisationId, 'data', {
      revoked_at: new Date(),
    }),
    requests: requests as [MetricRequest, ...MetricRequest[]],
    units: panel.agents.flatMap(({ unitId }) => unitId ?? []) as [number, ...number[]],
  };
}
