import type { ClickHouseSettings } from '@clickhouse/client';
import { expect } from 'chai';
import { compileMetricQuery } from '../../../services/query/compiler/compile-metric-query.ts';
import { QueryWeights } from '../../../services/query/execution/query-weights.ts';
import { queryRows } from '../../../services/shared/clickhouse/query-rows.ts';
import { createLogger } from '../../../services/shared/logging/create-logger.ts';
import { addDownloads } from '../../support/downloads.ts';
import { localStack } from '../../support/local-stack.ts';
import { metricQuery } from '../../support/metric-request.ts';
import { newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

const logger = createLogger('weights-test', 'error');

describe('the weight of a query', () => {
  let tenant: Tenant;
  let weights: QueryWeights;

  before(async () => {
    const { database, clickhouse } = await localStack();
    tenant = await newTenant(database);
    const downloads = Array.from({ length: 20 }, (_, day) => ({
      agentKey: 1,
      agentId: 'box',
      dtime: `2026-01-${String(day + 1).padStart(2, '0')} 10:00:00`,
      mbps: 10,
    }));
    await addDownloads(clickhouse, tenant.organisationId, downloads);
    const limits = { maxRunningQueries: 8, queryRowsPerSlot: 5, queryThreads: 0 };
    weights = new QueryWeights({ clickhouse, limits, logger });
  });

  const slotsOf = (
    changes: Readonly<Record<string, unknown>>,
    organisationId = tenant.organisationId,
  ) => weights.slotsOf(organisationId, compileMetricQuery(metricQuery(changes)));

  it('grows with the stored results of the range', async () => {
    const until = (day: string) => ({ from: '2025-12-25 00:00:00', to: `2026-01-${day} 00:00:00` });
    expect(await slotsOf({ time: until('02') })).to.equal(1);
    // 12 results, and one or two of the days around them, which a time zone may need.
    expect(await slotsOf({ time: until('12') })).to.equal(3);
    expect(await slotsOf({})).to.equal(4);
  });

  it('grows with splits and with the steps of a report, up to all slots', async () => {
    expect(await slotsOf({ splits: ['isp', 'package', 'target'] })).to.equal(7);
    expect(
      await slotsOf({ household: { statistic: 'mean' }, switchers: 'longest' }),
    ).to.be.greaterThan(4);
    expect(
      await slotsOf({ splits: ['isp', 'package', 'target'], household: { statistic: 'mean' } }),
    ).to.equal(8);
  });

  it('is 1 for an organisation without results', async () => {
    const { database } = await localStack();
    expect(await slotsOf({}, (await newTenant(database)).organisationId)).to.equal(1);
  });

  it('leaves half of the threads to others while other organisations send queries', async () => {
    const { clickhouse } = await localStack();
    const [{ threads } = { threads: 0 }] = await queryRows<{ threads: number }>(
      clickhouse,
      "SELECT getSetting('max_threads') AS threads",
    );
    const { organisationId } = tenant;
    await slotsOf({});
    await slotsOf({}, organisationId + 1_000_000);
    expect(weights.shareOf(organisationId, true)).to.deep.equal(heavy);
    expect(weights.shareOf(organisationId + 1, false)).to.deep.equal(light);
    const half = Math.max(1, Math.floor(threads / 2));
    expect(weights.shareOf(organisationId, true)).to.deep.equal({ ...heavy, max_threads: half });
    expect(weights.shareOf(organisationId, false)).to.deep.equal(light);
  });

  it('makes a heavy query wait for light ones that run, at each block of rows, for a short time', async () => {
    const { clickhouse } = await localStack();
    const elapsedMs = async (settings: ClickHouseSettings) => {
      const startedMs = performance.now();
      await queryRows(clickhouse, 'SELECT sum(number) FROM numbers(100)', {
        clickhouse_settings: { ...settings, max_block_size: '10', max_threads: 1 },
      });
      return performance.now() - startedMs;
    };
    const running = queryRows(clickhouse, 'SELECT sleep(2)', {
      clickhouse_settings: light,
    });
    await waitUntil(
      async () => (await elapsedMs(heavy)) > 4 * heavy.low_priority_query_wait_time_ms,
    );
    expect(await elapsedMs(light)).to.be.lessThan(4 * heavy.low_priority_query_wait_time_ms);
    await running;
  });
});

const light = { priority: '1' };
const heavy = { priority: '2', low_priority_query_wait_time_ms: 50 };
