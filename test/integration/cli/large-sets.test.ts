import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { queryRows } from '../../../services/shared/clickhouse/query-rows.ts';
import { DataApi } from '../../support/data-api.ts';
import { localStack } from '../../support/local-stack.ts';
import { netpanelOk } from '../../support/netpanel.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { newTenant } from '../../support/tenant.ts';

describe('netpanel sets', () => {
  const folder = mkdtempSync(join(tmpdir(), 'netpanel-large-sets-'));
  after(() => rmSync(folder, { recursive: true }));

  it('has sets of 100,000 agents', async () => {
    const stack = await localStack();
    const large = await newTenant(stack.database);
    await stack.database.raw(
      `insert into agents (organisation_id, agent_id, unit_id, kind)
       select ?, 'box-' || n, n, 'whitebox' from generate_series(1, 100000) as n`,
      [large.organisationId],
    );
    const ids = join(folder, 'ids.txt');
    writeFileSync(ids, Array.from({ length: 100_000 }, (_, i) => `box-${i + 1}`).join('\n'));
    const text = await netpanelOk(
      stack,
      ...['sets', 'add', 'all', '--org', large.name, '--file', ids],
    );
    expect(text).to.equal('all: 100000 agents added, 0 removed; the set has 100000\n');
    const [stored] = await queryRows<{ count: string }>(
      stack.clickhouse,
      'SELECT toString(uniqExact(agent_key)) AS count FROM agent_set_agents WHERE organisation_id = {id:UInt32}',
      { query_params: { id: large.organisationId } },
    );
    expect(stored?.count).to.equal('100000');
    const response = await new DataApi(stack.queryUrl, large.dataToken).post('/metric_data', {
      ...plainRequest,
      aggregation: 'total',
      time: { from: '2026-10-01', to: '2026-10-02' },
      filters: [{ id: 'set', filterType: 'include', filterValues: ['all'] }],
    });
    expect(response.status).to.equal(200);
  });
});
