import { expect } from 'chai';
import { testTables } from '../../../services/catalog/test-tables.ts';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { localStack } from '../../support/local-stack.ts';
import { addAgent, newTenant } from '../../support/tenant.ts';

const march = { test: 'httpget', date: { from: '2026-03-01', to: '2026-03-01' } };

describe('POST /test_data', () => {
  let api: DataApi;

  before(async () => {
    const { database, clickhouse, queryUrl } = await localStack();
    const tenant = await newTenant(database);
    api = new DataApi(queryUrl, tenant.dataToken);
    const agent = { agentId: 'wb-1', unitId: 72 };
    const agentKey = await addAgent(database, tenant.organisationId, agent);
    const sent = ['2026-03-01 00:00:00.000', '2026-03-01 23:59:59.999', '2026-03-02 00:00:00.000'];
    await addDownloads(
      clickhouse,
      tenant.organisationId,
      sent.map((dtime) => ({ agentKey, ...agent, dtime, mbps: 8 })),
    );
  });

  it('200: the rows of the range, both ends included, with the common columns first', async () => {
    const { status, body, headers } = await api.post('/test_data', march);
    expect(status).to.equal(200);
    expect(headers.get('x-query-id')).to.be.a('string');
    expect(headers.get('netpanel-clock')).to.equal('UTC');
    const rows = body.data as Record<string, unknown>[];
    expect(rows.map(({ dtime }) => dtime)).to.deep.equal([
      '2026-03-01 00:00:00.000',
      '2026-03-01 23:59:59.999',
    ]);
    expect(Object.keys(rows[0]!).slice(0, 5)).to.deep.equal([
      'base',
      'ddate',
      'dtime',
      'agent_id',
      'unit_id',
    ]);
    expect(rows[0]).to.include({ ddate: '2026-03-01', agent_id: 'wb-1', unit_id: 72 });
    expect(rows[0]).to.include({ bytes_sec: 1_000_000, tcp_retransmissions: null });
    expect(rows[0]).not.to.have.any.keys('organisation_id', 'agent_key', 'received_at');
  });

  for (const test of Object.keys(testTables)) {
    it(`200: an empty list for ${test} without rows`, async () => {
      const { status, body } = await api.post('/test_data', { ...march, test, date: longAgo });
      expect(status).to.equal(200);
      expect(body.data).to.deep.equal([]);
    });
  }
  const longAgo = { from: '2001', to: '2001' };

  it('200: two whole years', async () => {
    const date = { from: '2025', to: '2026' };
    expect((await api.post('/test_data', { test: 'httpget', date })).status).to.equal(200);
  });

  it('422: all errors at once, by field', async () => {
    const { status, body } = await api.post('/test_data', { test: 'htpget', date: {} });
    expect(status).to.equal(422);
    expect(body.errors).to.have.all.keys('test', 'date[from]', 'date[to]');
    expect(body.errors?.test?.[0]).to.include('"httpget"');
  });
});
