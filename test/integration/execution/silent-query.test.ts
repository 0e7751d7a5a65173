import type { ClickHouseClient } from '@clickhouse/client';
import { expect } from 'chai';
import { Registry } from '../../../services/shared/metrics.ts';
import { noCost } from '../../../services/query/execution/query-request.ts';
import { queryRunner } from '../../../services/query/execution/query-runner.ts';
import { QueryWeights } from '../../../services/query/execution/query-weights.ts';
import { clickHouseMetrics } from '../../../services/shared/clickhouse/clickhouse-metrics.ts';
import { rowsOf } from '../../../services/shared/clickhouse/query-rows.ts';
import { createLogger } from '../../../services/shared/logging/create-logger.ts';
import { OrganisationSlots } from '../../../services/shared/slots/organisation-slots.ts';
import { localClickHouse, quietClient } from '../../support/local-clickhouse.ts';

describe('a query that sends nothing for long', () => {
  let client: ClickHouseClient;

  before(async () => {
    client = quietClient((await localClickHouse()).url);
  });
  after(() => client.close());

  it('ends with its result, because ClickHouse says that it is running', async () => {
    const metrics = clickHouseMetrics(new Registry());
    const logger = createLogger('test', 'error');
    const weighed = { maxRunningQueries: 1, queryRowsPerSlot: 1, queryThreads: 0 };
    const runner = queryRunner({
      weights: new QueryWeights({ clickhouse: client, limits: weighed, logger }),
      queries: client,
      background: client,
      metrics,
      pool: metrics.addPool('queries', 10),
      slots: new OrganisationSlots('running queries', 1, 0),
      limits: {
        queryTimeoutMs: 100_000,
        queryMemoryBytes: 1e9,
        queryThreads: 0,
        maxResultRows: 10,
        maxRowsToRead: 10,
      },
      prepareMetadata: () => Promise.reject(new Error('not needed')),
      cluster: '',
      // Far shorter than the query: a wrong answer would end it.
      silenceMs: 100,
      logger,
    });
    const request = {
      queryId: 'silent-query',
      organisationId: 1,
      route: 'POST /test',
      kind: 'export',
      ...abortable(),
      cost: noCost(),
    } as const;
    const rows = await rowsOf(
      runner.runQuery({ sql: 'SELECT sleep(2) AS slept', params: {} }, request),
    );
    expect(rows).to.deep.equal([{ slept: 0 }]);
  });
});

function abortable(): { signal: AbortSignal; abort: (error: Error) => void } {
  const controller = new AbortController();
  return { signal: controller.signal, abort: (error) => controller.abort(error) };
}
