import { expect } from 'chai';
import { queryRows } from '../../../services/shared/clickhouse/query-rows.ts';
import { dayMs, days, useRetention } from './use-retention.ts';

describe('retention in ClickHouse', () => {
  const retention = useRetention();

  it('drops a month when its last moment is old enough, from results and from the audit', async () => {
    await retention.addResults(
      '2025-01-31 23:59:59',
      '2025-02-01 00:00:00',
      '2025-02-28 23:59:59.999',
    );
    await addAudit('2025-07-31 23:59:59', '2025-08-01 00:00:00');
    const marchFirst = Date.parse('2025-03-01T00:00:00Z');

    const before = await retention.run(days, new Date(marchFirst + 365 * dayMs - 1));
    // January: one result, and its copy in last_rows_httpget.
    expect(before.results).to.equal(2);
    expect(await retention.months('test_httpget')).to.deep.equal(['202502']);
    expect(await retention.months('last_rows_httpget')).to.deep.equal(['202502']);
    expect(await retention.months('query_audit')).to.deep.equal(['202508']);

    const at = await retention.run(days, new Date(marchFirst + 365 * dayMs));
    expect(at.results).to.equal(4);
    expect(await retention.months('test_httpget')).to.deep.equal([]);
    expect((await retention.run(days, new Date(marchFirst + 365 * dayMs))).results).to.equal(0);
  });

  it('removes records of loads', async () => {
    const { clickhouse } = retention.stores;
    const now = new Date('2026-01-01T00:00:00Z');
    const block = { organisation_id: 1, test: 'dns', row_count: 1 };
    await clickhouse.insert({
      table: 'loaded_blocks',
      format: 'JSONEachRow',
      values: [
        { ...block, sha256: 'old', loaded_at: '2024-12-31 23:59:59.999' },
        { ...block, sha256: 'young', loaded_at: '2025-01-01 00:00:00.000' },
      ],
    });
    expect(await retention.run(days, now)).to.include({ loaded_blocks: 1 });
    const blocks = 'SELECT sha256 FROM loaded_blocks';
    expect(await queryRows(clickhouse, blocks)).to.deep.equal([{ sha256: 'young' }]);
  });

  async function addAudit(...times: string[]): Promise<void> {
    await retention.stores.clickhouse.insert({
      table: 'query_audit',
      format: 'JSONEachRow',
      values: times.map((occurred_at) => ({ occurred_at, organisation_id: 1, route: 'test' })),
    });
  }
});
