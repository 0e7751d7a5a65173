import { expect } from 'chai';
import { Registry } from '../../../services/shared/metrics.ts';
import { type AuditRow, QueryAudit } from '../../../services/query/audit/query-audit.ts';
import { createLogger } from '../../../services/shared/logging/create-logger.ts';
import { freePort } from '../../support/free-port.ts';
import { quietClient } from '../../support/local-clickhouse.ts';

const row: AuditRow = {
  occurred_at: '2026-01-01T00:00:00.000',
  organisation_id: 1,
  token_id: 1,
  route: 'POST /metric_data',
  query_id: 'q',
  request: '{}',
  status: 200,
  code: 'OK',
  rows_read: 0,
  bytes_read: 0,
  rows_returned: 0,
  bytes_returned: 0,
  duration_ms: 1,
  aborted: false,
};

describe('the query audit while ClickHouse is unreachable', () => {
  it('buffers a limited number of rows and counts dropped rows', async () => {
    const registry = new Registry();
    const logger = createLogger('audit-under-test', 'error');
    logger.silent = true;
    const clickhouse = quietClient(`http://127.0.0.1:${await freePort()}`);
    const audit = new QueryAudit({ clickhouse, flushMs: 3_600_000, logger, registry });
    for (let i = 0; i < 20_003; i++) audit.record(row);
    audit.record({ ...row, request: 'x'.repeat(64 * 1024 * 1024 - 1) });
    await audit.close();
    await clickhouse.close();
    const dropped = await registry.getSingleMetric('netpanel_audit_rows_dropped_total')?.get();
    // Three over the row limit, then all others to make room for the row of 64 MiB.
    expect(dropped?.values[0]?.value).to.equal(20_003);
  });
});
