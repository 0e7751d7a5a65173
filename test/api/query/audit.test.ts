import { createHash } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { expect } from 'chai';
import { addExportRow } from '../../support/add-export-row.ts';
import { exportStatus, startExport } from '../../support/background-export.ts';
import { DataApi } from '../../support/data-api.ts';
import { addManyDownloads } from '../../support/downloads.ts';
import { fetched, fileData } from '../../support/exported-file.ts';
import { localStack, type LocalStack } from '../../support/local-stack.ts';
import { startQueryService } from '../../support/query-service.ts';
import { newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

interface AuditRow {
  readonly route: string;
  readonly query_id: string;
  readonly request: string;
  readonly status: number;
  readonly code: string;
  readonly token_id: number;
  readonly rows_read: number;
  readonly rows_returned: number;
  readonly bytes_returned: number;
  readonly aborted: boolean;
}

const request = {
  metric: 'httpget',
  chartType: 'raw',
  normalised: false,
  prefilter: false,
  time: { from: '2026-01-01 00:00', to: '2026-01-01 23:59' },
};
const exportRequest = { test: 'httpget', date: { from: '2026-01-01', to: '2026-01-01' } };
const unknownId = '00000000-0000-4000-8000-000000000000';

describe('the query audit', () => {
  let stack: LocalStack;
  let tenant: Tenant;

  beforeEach(async () => {
    stack = await localStack();
    tenant = await newTenant(stack.database);
    await addManyDownloads(stack.clickhouse, tenant.organisationId, 500);
  });

  it('has every query with its cost, including rejected ones, after the service has stopped', async () => {
    const service = await startQueryService({ AUDIT_FLUSH_MS: '3600000' });
    const api = new DataApi(service.url, tenant.dataToken);
    const good = await api.post('/metric_data', request);
    await api.post('/metric_data', { metric: 'nope' });
    await api.post('/test_data', { test: 'httpget', date: { from: '2026', to: '2026' } });
    expect(await auditRows()).to.deep.equal([]);
    await service.stop();

    const rows = await auditRows();
    expect(
      rows.map(({ route, status, code, rows_returned, aborted }) => [
        route,
        status,
        code,
        rows_returned,
        aborted,
      ]),
    ).to.deep.equal([
      ['POST /metric_data', 200, 'OK', 500, false],
      ['POST /metric_data', 422, 'VALIDATION_FAIL', 0, false],
      ['POST /test_data', 200, 'OK', 500, false],
    ]);
    expect(rows[0]?.query_id).to.equal(good.headers.get('x-query-id'));
    expect(JSON.parse(rows[0]?.request ?? '')).to.deep.equal(request);
    expect(rows[0]?.rows_read).to.be.at.least(500);
    expect(rows[0]?.bytes_returned).to.equal(Buffer.byteLength(JSON.stringify(good.body)));
    expect(rows[0]?.token_id).to.be.greaterThan(0);
    expect(JSON.stringify(rows)).not.to.include(tenant.dataToken);
  });

  it('has listings, value listings, and requests that failed before their route', async () => {
    const service = await startQueryService({ AUDIT_FLUSH_MS: '3600000' });
    const api = new DataApi(service.url, tenant.dataToken);
    const metrics = (await api.get('/metrics')).body.data as unknown[];
    const values = (await api.get('/filters/base/values?search=w')).body.data as unknown[];
    await api.get('/filters/nope/values');
    await api.get('/filters/target/values?limit=many');
    await api.get(`/exports/${unknownId}`);
    await api.send('DELETE', `/exports/${unknownId}`, {});
    // Not by the client, which refuses undocumented paths.
    await fetch(`${service.url}/nowhere`, { headers: { authorization: tenant.dataToken } });
    await api.post('/metric_data', '{');
    await service.stop();
    expect(values).not.to.be.empty;
    const rows = await auditRows();
    expect(
      rows.map(({ route, status, request: text, rows_returned }) => [
        route,
        status,
        text,
        rows_returned,
      ]),
    ).to.have.deep.members([
      ['GET /metrics', 200, '', metrics.length],
      ['GET /filters/:id/values', 200, '{"id":"base","search":"w","limit":100}', values.length],
      ['GET /filters/:id/values', 404, '{"id":"nope","limit":100}', 0],
      ['GET /filters/:id/values', 422, '{"id":"target","limit":"many"}', 0],
      ['GET /exports/:id', 404, `{"id":"${unknownId}"}`, 0],
      ['DELETE /exports/:id', 404, `{"id":"${unknownId}"}`, 0],
      ['GET none', 404, '', 0],
      ['POST /metric_data', 400, '', 0],
    ]);
    for (const { token_id } of rows) expect(token_id).to.be.greaterThan(0);
  });

  it('keeps the metric of a request whose filter is longer than a stored request', async () => {
    const service = await startQueryService({ AUDIT_FLUSH_MS: '3600000' });
    const api = new DataApi(service.url, tenant.dataToken);
    const filterValues = Array.from({ length: 1_000 }, (_, i) => `${i} ${'x'.repeat(75)}`);
    const filters = [{ id: 'target', filterType: 'include', filterValues }];
    const body = { filters, ...request };
    await api.post('/metric_data', body);
    await service.stop();
    const [row] = await auditRows();
    expect(JSON.parse(row?.request ?? '')).to.deep.include({
      metric: 'httpget',
      time: request.time,
      shortened: {
        bytes: JSON.stringify(body).length,
        sha256: createHash('sha256').update(JSON.stringify(body)).digest('hex'),
      },
    });
  });

  it('has an export once, when it has ended, with the rows and bytes of its file', async () => {
    const service = await startQueryService({ EXPORT_HEARTBEAT_MS: '100' });
    try {
      const api = new DataApi(service.url, tenant.dataToken);
      const id = await startExport(api, exportRequest);
      await waitUntil(async () => (await exportStatus(api, id)).status === 'ready');
      const { bytes } = await exportStatus(api, id);
      const waited = await api.post('/test_data_download', { ...exportRequest, format: 'csv.gz' });
      await waitForRows('POST /test_data.csv', 1);
      await waitForRows('POST /test_data_download', 1);
      const [row] = await rowsOf('POST /test_data.csv');
      expect(row).to.deep.include({
        status: 200,
        code: 'OK',
        rows_returned: 500,
        bytes_returned: bytes,
        aborted: false,
        query_id: id,
      });
      expect(JSON.parse(row?.request ?? '')).to.deep.equal(exportRequest);
      expect(row?.rows_read).to.be.at.least(500);
      const [second] = await rowsOf('POST /test_data_download');
      expect(second?.bytes_returned).to.equal(fileData(waited).bytes);
      expect(await rowsOf('POST /test_data.csv')).to.have.length(1);
    } finally {
      await service.stop();
    }
  });

  it('has an export that failed, was cancelled or was lost with its process', async () => {
    const service = await startQueryService({ EXPORT_MAX_ROWS: '10', EXPORT_HEARTBEAT_MS: '100' });
    try {
      const api = new DataApi(service.url, tenant.dataToken);
      const failed = await startExport(api, exportRequest);
      await waitUntil(async () => (await exportStatus(api, failed)).status === 'failed');
      const past = new Date(Date.now() - 1_000);
      const running = { status: 'running', store: 'another', lost_at: past, expires_at: past };
      const lost = await addExportRow(stack.database, tenant, running);
      const later = new Date(Date.now() + 3_600_000);
      const cancelled = await addExportRow(stack.database, tenant, { ...running, lost_at: later });
      await api.send('DELETE', `/exports/${cancelled}`, {});
      await waitForRows('POST /test_data.csv', 3);
      await waitForRows('DELETE /exports/:id', 1);
      const outcomes = (await rowsOf('POST /test_data.csv')).map((row) => [
        row.query_id,
        row.status,
        row.code,
        row.aborted,
      ]);
      expect(outcomes).to.have.deep.members([
        [failed, 422, 'VALIDATION_FAIL', true],
        [lost, 503, 'SERVICE_UNAVAILABLE', true],
        [cancelled, 409, 'EXPORT_CANCELLED', true],
      ]);
      const [deletion] = await rowsOf('DELETE /exports/:id');
      expect(deletion).to.include({ status: 200, request: `{"id":"${cancelled}"}` });
    } finally {
      await service.stop();
    }
  });

  it('has downloads by link with the owner of the file, without a token and its signature', async () => {
    const service = await startQueryService({});
    try {
      const api = new DataApi(service.url, tenant.dataToken);
      const csv = fileData(await api.post('/test_data.csv', exportRequest));
      const object = fileData(await api.post('/test_data_download', exportRequest));
      await fetched(csv.url);
      await fetched(object.url);
      await fetch(csv.url, { headers: { range: 'bytes=0-9' } });
      await waitForRows('GET /csv/:id', 2);
      await waitForRows('GET /objects/*key', 1);
      const id = new URL(csv.url).pathname.split('/').at(-1)!;
      const shown = (row: AuditRow) => [row.status, row.rows_returned, row.bytes_returned];
      const downloads = await rowsOf('GET /csv/:id');
      expect(downloads.map(shown)).to.have.deep.members([
        [200, 500, csv.bytes],
        [206, 0, 10],
      ]);
      for (const row of downloads) {
        expect(row).to.include({ token_id: 0, request: `{"id":"${id}","via":"link"}` });
      }
      const [fromStore] = await rowsOf('GET /objects/*key');
      expect(fromStore).to.include({ token_id: 0, bytes_returned: object.bytes });
      expect(JSON.stringify(await auditRows())).not.to.include('signature');
    } finally {
      await service.stop();
    }
  });

  it('has one row per minute for the wrong tokens of an address', async () => {
    const startedMs = Date.now();
    const service = await startQueryService({});
    const octet = () => 1 + Math.floor(Math.random() * 250);
    const localAddress = `127.${octet()}.${octet()}.${octet()}`;
    for (let i = 0; i < 50; i++) expect(await statusFrom(localAddress, service.url)).to.equal(403);
    await service.stop();
    const minutes = 2 + Math.floor((Date.now() - startedMs) / 60_000);
    const rows = (await auditRows(0))
      .map((row) => ({
        ...row,
        ...(JSON.parse(row.request) as { address: string; requests: number }),
      }))
      .filter(({ address }) => address === localAddress);
    expect(rows.length).to.be.within(1, minutes);
    expect(rows.reduce((sum, { requests }) => sum + requests, 0)).to.equal(50);
    expect(rows[0]).to.include({ status: 403, code: 'ACCESS_DENIED', token_id: 0 });
  });

  it('does not fail requests while it cannot be written', async () => {
    const service = await startQueryService({ AUDIT_FLUSH_MS: '1' });
    try {
      await stack.clickhouse.command({ query: 'RENAME TABLE query_audit TO query_audit_away' });
      const api = new DataApi(service.url, tenant.dataToken);
      expect((await api.post('/metric_data', request)).status).to.equal(200);
      expect((await api.post('/metric_data', request)).status).to.equal(200);
    } finally {
      await stack.clickhouse.command({ query: 'RENAME TABLE query_audit_away TO query_audit' });
      await service.stop();
    }
    expect(await auditRows()).to.have.length(2);
  });

  async function rowsOf(route: string): Promise<AuditRow[]> {
    return (await auditRows()).filter((row) => row.route === route);
  }

  async function waitForRows(route: string, count: number): Promise<void> {
    await waitUntil(async () => (await rowsOf(route)).length >= count);
  }

  async function auditRows(organisationId = tenant.organisationId): Promise<AuditRow[]> {
    const result = await stack.clickhouse.query({
      query: 'SELECT * FROM query_audit WHERE organisation_id = {id:UInt32} ORDER BY occurred_at',
      query_params: { id: organisationId },
      format: 'JSONEachRow',
      clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
    });
    return result.json();
  }
});

/** Sends a wrong token from a loopback address of this machine. */
function statusFrom(localAddress: string, url: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const headers = { authorization: 'npd_wrong' };
    httpRequest(`${url}/metrics`, { localAddress, headers }, (response) => {
      response.resume();
      response.on('end', () => resolve(response.statusCode));
    })
      .on('error', reject)
      .end();
  });
}
