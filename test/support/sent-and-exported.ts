import { expect } from 'chai';
import type { Database } from '../../services/shared/postgres/connect-postgres.ts';
import { DataApi } from './data-api.ts';
import { dayBefore } from './day-before.ts';
import { minutesAgo, ndjson, postResults } from './ingest-tenant.ts';
import { addAgent, newTenant, newTenantToken } from './tenant.ts';

/** Sends a result to the ingestion service. The query service must export it by both kinds of link. */
export async function expectSentAndExported(
  database: Database,
  { ingestUrl, queryUrl }: { readonly ingestUrl: string; readonly queryUrl: string },
): Promise<void> {
  const { organisationId, dataToken } = await newTenant(database);
  await addAgent(database, organisationId, { agentId: 'box', unitId: 7 });
  const token = await newTenantToken(database, organisationId, 'data', {
    scopes: ['results:write'],
  });
  const result = { unit_id: 7, dtime: minutesAgo(60), target: 'sent.example.net', rtt_avg: 12_000 };
  const reply = await postResults(ingestUrl, token, '/results/latency', ndjson(result));
  expect(reply.status, JSON.stringify(reply.body)).to.equal(200);

  const api = new DataApi(queryUrl, dataToken);
  const request = { test: 'latency', date: { from: dayBefore(1), to: dayBefore(0) } };
  for (const path of ['/test_data.csv', '/test_data_download']) {
    const { status, body } = await api.post(path, request);
    expect(status, JSON.stringify(body)).to.equal(200);
    const { url } = body.data as { url: string };
    const [heading, row] = (await (await fetch(url)).text()).trim().split('\n');
    expect(heading).to.match(/^"?\w/);
    expect(row).to.include('sent.example.net');
  }
}
