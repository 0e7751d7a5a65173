import { recordEnd } from '../../services/metadata/erasure/erasure-ledger.ts';
import type { ApiInterface } from '../../services/shared/auth/caller.ts';
import type { Database } from '../../services/shared/postgres/connect-postgres.ts';
import { DataApi } from '../support/data-api.ts';
import { addDownloads } from '../support/downloads.ts';
import { type LocalStack, localStack } from '../support/local-stack.ts';
import { requestAgentErasure } from '../support/erase-household.ts';
import { metadataClient } from '../support/metadata-client.ts';
import { addAgent, addPackages, newTenant, type Tenant } from '../support/tenant.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { ServiceName } from './contract.ts';

/** An organisation with an agent, its metadata, its results and an export. */
export interface Fixture {
  readonly stack: LocalStack;
  readonly owner: Tenant;
  readonly agentKey: number;
  readonly exportId: string;
  /** The erasure of the agent erasedAgentId. */
  readonly erasureId: string;
  /** A view that filters by the agent. */
  readonly viewId: string;
  /** Path and query of links that work without a token. */
  readonly csvLink: string;
  readonly objectLink: string;
}

export const ownAgent = { agentId: 'box-1', unitId: 4711, macAddress: '00:00:00:00:47:11' };
export const erasedAgentId = 'box-erased';
export const ownPackage = 'Northwave:Fibre 500';
export const ownCustom = { cohort: 'spring' };

/** January 2026, like the examples in the OpenAPI documents. */
export const ownMetricRequest = {
  metric: 'httpget',
  chartType: 'raw',
  normalised: false,
  prefilter: false,
  time: { from: '2026-01-01 00:00', to: '2026-01-31 23:59:59' },
};
export const ownTestRequest = { test: 'httpget', date: { from: '2026-01', to: '2026-01' } };

export async function createFixture(): Promise<Fixture> {
  const stack = await localStack();
  const { database, clickhouse, queryUrl } = stack;
  const owner = await newTenant(database);
  await addPackages(database, owner.organisationId, {
    Northwave: ['Fibre 500', 'Fibre 100'],
    Brightline: ['Cable'],
  });
  const agentKey = await addAgent(database, owner.organisationId, ownAgent);
  const minutes = Array.from({ length: 60 }, (_, minute) => String(minute).padStart(2, '0'));
  await addDownloads(
    clickhouse,
    owner.organisationId,
    minutes.map((minute) => ({
      ...ownAgent,
      agentKey,
      dtime: `2026-01-10 10:${minute}:00`,
      mbps: 70,
      target: 'n1.example.net',
    })),
  );
  await setMetadata(stack, owner);
  const erasureId = await addEndedErasure(database, owner);
  const api = new DataApi(queryUrl, owner.dataToken);
  const view = await api.post('/views', {
    name: `household ${ownAgent.agentId}`,
    state: new URLSearchParams({ filter: `["agent","include","${ownAgent.agentId}"]` }).toString(),
  });
  const csv = await api.post('/metric_data.csv', ownMetricRequest);
  const file = await api.post('/test_data_download', ownTestRequest);
  return {
    stack,
    owner,
    agentKey,
    erasureId,
    viewId: (view.body.data as { id: string }).id,
    exportId: csv.headers.get('x-query-id') ?? '',
    csvLink: pathOf((csv.body.data as { url: string }).url),
    objectLink: pathOf((file.body.data as { url: string }).url),
  };
}

export function urlOf(stack: LocalStack, service: ServiceName): string {
  return { query: stack.queryUrl, metadata: stack.metadataUrl, ingest: stack.ingestUrl }[service];
}

export function opsUrlOf(stack: LocalStack, service: ServiceName): string {
  const { queryOpsUrl, metadataOpsUrl, ingestOpsUrl } = stack;
  return { query: queryOpsUrl, metadata: metadataOpsUrl, ingest: ingestOpsUrl }[service];
}

/** The interface whose tokens a service takes. */
export function interfaceOf(service: ServiceName): ApiInterface {
  return service === 'metadata' ? 'metadata' : 'data';
}

/** With every scope of the interface. */
export function tokenOf(tenant: Tenant, service: ServiceName): string {
  return interfaceOf(service) === 'data' ? tenant.dataToken : tenant.metadataToken;
}

/** Returns when queries can use the custom field. */
async function setMetadata({ metadataUrl, queryUrl }: LocalStack, owner: Tenant): Promise<void> {
  const { status } = await metadataClient(metadataUrl, owner.metadataToken).put({
    agent: { unit_id: ownAgent.unitId },
    metadata: { package: ownPackage, timezone: 'Europe/London', custom: ownCustom },
  });
  if (status !== 200) throw new Error(`PUT /metadata returned ${status}`);
  const api = new DataApi(queryUrl, owner.dataToken);
  await waitUntil(async () => (await api.get('/filters/cohort/values')).status === 200);
}

/** In one transaction, so that the metadata service does not run it, which would withdraw the exports. */
function addEndedErasure(database: Database, owner: Tenant): Promise<string> {
  const agent = { agentId: erasedAgentId };
  return database.transaction(async (transaction) => {
    const id = await addAgent(transaction, owner.organisationId, agent);
    const erasureId = await requestAgentErasure(transaction, owner, erasedAgentId);
    await transaction('agents').where({ id }).delete();
    await recordEnd(transaction, erasureId);
    return erasureId;
  });
}

function pathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}
