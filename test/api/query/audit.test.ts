import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { addManyDownloads } from '../../support/downloads.ts';
import { localStack, type LocalStack } from '../../support/local-stack.ts';
import { startQueryService } from '../../support/query-service.ts';
import { newTenant, type Tenant } from '../../support/tenant.ts';

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

describe('the query audit', () => {
  let stack: LocalStack;
  let tenant: Tenant;

  before(async function () {
    this.timeout(180_000);
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
    await api.get('/metrics');
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
    expect(await auditRows()).to.have.length(5);
  });

  async function auditRows(): Promise<AuditRow[]> {
    const result = await stack.clickhouse.query({
      query: 'SELECT * FROM query_audit WHERE organisation_id = {id:UInt32} ORDER BY occurred_at',
      query_params: { id: tenant.organisationId },
      format: 'JSONEachRow',
      clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
    });
    return result.json();
  }
});
