import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { fetched, fileData } from '../../support/exported-file.ts';
import { localStack } from '../../support/local-stack.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { type RecordedQuery, startRecordingProxy } from '../../support/recording-proxy.ts';
import { startServiceProcess } from '../../support/service-process.ts';
import { newTenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

// The local engine ignores quota_key, so this test reads what the service sends. With the row policy of
// deploy/clickhouse/roles/query.sql a query without its organisation returns nothing (query-row-policy.test.ts).

const request = {
  ...plainRequest,
  time: { from: '2026-01-01 00:00', to: '2026-01-02 00:00' },
};
const days = { test: 'httpget', date: { from: '2026-01-01', to: '2026-01-02' } };

describe('the ClickHouse queries of the query service', () => {
  it('name the organisation whose data they read, for the row policy and the quota', async () => {
    const { database, clickhouse, clickhouseUrl } = await localStack();
    const tenant = await newTenant(database);
    const { organisationId } = tenant;
    const download = { agentKey: 1, agentId: 'a', dtime: '2026-01-01 10:00:00', mbps: 100 };
    await addDownloads(clickhouse, organisationId, [download]);
    const proxy = await startRecordingProxy(clickhouseUrl);
    try {
      const service = await startServiceProcess('query', { CLICKHOUSE_URL: proxy.url });
      try {
        await useEveryEndpoint(new DataApi(service.url, tenant.dataToken));
        await waitUntil(() => proxy.queries.some(({ sql }) => sql.includes('query_audit')));
      } finally {
        await service.kill('SIGTERM');
      }
      expectOrganisation(proxy.queries, organisationId);
    } finally {
      proxy.stop();
    }
  });
});

async function useEveryEndpoint(api: DataApi): Promise<void> {
  for (const [path, body] of Object.entries({
    '/metric_data': request,
    '/metric_data/explain': request,
    '/test_data': days,
    '/test_data/explain': days,
  })) {
    expect((await api.post(path, body)).status, path).to.equal(200);
  }
  for (const [path, body] of Object.entries({
    '/metric_data.csv': request,
    '/test_data.csv': days,
    '/metric_data_download': { ...request, format: 'parquet' },
    '/test_data_download': { ...days, format: 'csv.gz' },
  })) {
    expect(await fetched(fileData(await api.post(path, body)).url), path).not.to.have.length(0);
  }
  for (const path of ['/metrics', '/tests', '/splits', '/filters', '/filters/target/values']) {
    expect((await api.get(path)).status, path).to.equal(200);
  }
  expect((await api.get('/filters/isp/values')).status).to.equal(200);
}

/** Tables with the data of organisations. */
const organisationData =
  /\b(FROM|JOIN) (test_|results_|last_rows_|filter_values|agent_metadata_current)/;

function expectOrganisation(queries: readonly RecordedQuery[], organisationId: number): void {
  const reads = queries.filter(({ sql }) => organisationData.test(sql));
  const tables = reads.map(({ sql }) => organisationData.exec(sql)?.[2]);
  expect(tables).to.include.members([
    'test_',
    'results_',
    'filter_values',
    'agent_metadata_current',
  ]);
  for (const { sql, parameters } of reads) {
    const comment = JSON.parse(parameters.get('log_comment') ?? '{}') as { organisation?: number };
    expect(comment.organisation, sql).to.equal(organisationId);
    expect(parameters.get('quota_key'), sql).to.equal(String(organisationId));
  }
  for (const { sql, parameters } of queries) {
    expect(parameters.get('quota_key') ?? '', sql).not.to.equal('');
  }
}
