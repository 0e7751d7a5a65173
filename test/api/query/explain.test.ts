import { expect } from 'chai';
import { copySet } from '../../../services/registry/agents/copy-set.ts';
import { changeAgentSet } from '../../../services/registry/agents/agent-sets.ts';
import { ensureOrganisation } from '../../../services/registry/organisations/organisations.ts';
import { DataApi } from '../../support/data-api.ts';
import { firstDifference } from '../../reference/first-difference.ts';
import { localStack, type LocalStack } from '../../support/local-stack.ts';

interface Explanation {
  readonly sql: string;
  readonly params: Readonly<Record<string, { readonly type: string; readonly value: string }>>;
  readonly inlined: string;
  readonly settings: Readonly<Record<string, string | number>>;
  readonly estimate: Readonly<Record<string, number>>;
}

const range = { from: '2026-11-01 00:00', to: '2026-11-07 23:59:59' };
const shared = { metric: 'httpget', normalised: false, prefilter: true, time: range };
const requests = {
  'a daily series split by ISP': {
    ...shared,
    chartType: 'aggregate',
    aggregation: 'daily',
    splits: ['isp'],
  },
  'a normalised total of two packages': {
    ...shared,
    chartType: 'aggregate',
    aggregation: 'total',
    normalised: true,
    splits: ['package', 'country'],
    filters: [{ id: 'isp', filterType: 'exclude', filterValues: ["O'Brien \\ {p0:UInt32}"] }],
  },
  'a report with the share of agents that reported in a window': {
    ...shared,
    chartType: 'aggregate',
    aggregation: 'hour_of_day',
    splits: ['isp'],
    window: { days: ['mon', 'tue'], hours: [19, 20] },
    household: { statistic: 'trimmedMean', trim: [1, 99], trimOver: 'range', minResults: 1 },
    coverage: true,
  },
  'a custom field and a set of agents': {
    ...shared,
    chartType: 'aggregate',
    aggregation: 'daily',
    splits: ['tier'],
    filters: [
      { id: 'set', filterType: 'exclude', filterValues: ['explained'] },
      {
        id: 'isp',
        filterType: 'exclude',
        filterValues: ["FROM test_httpget, dictGet('agent_metadata'"],
      },
    ],
  },
  'raw results of one day': {
    ...shared,
    chartType: 'raw',
    splits: ['tier'],
    time: { from: '2026-11-03 00:00', to: '2026-11-03 23:59:59' },
  },
};

describe('POST /metric_data/explain', () => {
  let stack: LocalStack;
  let api: DataApi;

  before(async () => {
    stack = await localStack();
    api = new DataApi(stack.queryUrl, stack.env.DEMO_DATA_TOKEN ?? '');
    const { database, clickhouse } = stack;
    const { id } = await ensureOrganisation(database, 'demo', 'all');
    await changeAgentSet(database, id, 'explained', [], { replace: true });
    await copySet({ database, clickhouse, cluster: '' }, id, 'explained');
  });

  for (const [what, request] of Object.entries(requests)) {
    it(`200: the SQL of ${what} runs unchanged in ClickHouse and returns the same rows`, async () => {
      const explained = await api.post('/metric_data/explain', request);
      expect(explained.status).to.equal(200);
      const { inlined } = explained.body.data as Explanation;
      const points = await api.points(request);
      expect(points).not.to.be.empty;
      // Sums can differ in the last digit when ClickHouse reads blocks in another order.
      expect(firstDifference(points, await rowsOf(inlined))).to.equal(undefined);
    });
  }

  it('200: returns placeholders, bound values, settings and an estimate of the rows to read', async () => {
    const request = requests['a normalised total of two packages'];
    const { body, headers } = await api.post('/metric_data/explain', request);
    const { sql, params, settings, estimate, inlined } = body.data as Explanation;
    const placeholders = [...sql.matchAll(/\{(\w+):/g)].map(([, name]) => name);
    expect(Object.keys(params)).to.have.members([...new Set(placeholders)]);
    expect(sql).not.to.include("O'Brien");
    expect(Object.values(params).map(({ value }) => value)).to.include(
      String.raw`['O\'Brien \\ {p0:UInt32}']`,
    );
    const bound = new URL(stack.clickhouseUrl);
    bound.searchParams.set('database', stack.env.CLICKHOUSE_DATABASE ?? 'netpanel');
    for (const [name, { value }] of Object.entries(params)) {
      bound.searchParams.set(`param_${name}`, value);
    }
    const text = await (await fetch(bound, { method: 'POST', body: `${sql}\nFORMAT JSON` })).text();
    const { data } = JSON.parse(text) as { data: unknown[] };
    expect(firstDifference(data, await rowsOf(inlined))).to.equal(undefined);
    expect(settings).to.include({ timeout_overflow_mode: 'throw', readonly: '2' });
    expect(settings).to.include.keys('max_execution_time', 'max_memory_usage', 'max_result_rows');
    expect(estimate.rows).to.be.greaterThan(0);
    expect(estimate.bytes).to.be.greaterThan(estimate.rows!);
    expect(headers.get('x-query-id')).to.be.a('string');
  });

  it('422: for the same errors as the request itself', async () => {
    const { status, body } = await api.post('/metric_data/explain', { ...shared, metric: 'no' });
    expect(status).to.equal(422);
    expect(body.errors).to.include.keys('metric', 'chartType');
  });

  /** In a client that uses another database. */
  async function rowsOf(query: string): Promise<unknown[]> {
    const response = await fetch(
      `${stack.clickhouseUrl}/?database=default&default_format=JSONEachRow`,
      { method: 'POST', body: query },
    );
    const text = await response.text();
    expect(response.status, text).to.equal(200);
    return text
      .split('\n')
      .filter((line) => line !== '')
      .map((line): unknown => JSON.parse(line));
  }

  describe('and POST /test_data/explain', () => {
    const request = { test: 'ping', date: { from: '2026-11-03', to: '2026-11-03' } };

    it('200: the SQL runs unchanged in ClickHouse and returns the same rows', async () => {
      const explained = await api.post('/test_data/explain', request);
      expect(explained.status).to.equal(200);
      const response = await api.post('/test_data', request);
      const rows = response.body.data as unknown[];
      expect(rows).not.to.be.empty;
      expect(await rowsOf((explained.body.data as Explanation).inlined)).to.deep.equal(rows);
    });

    it('422: for the same errors as the request itself', async () => {
      const { status } = await api.post('/test_data/explain', { ...request, test: 'pong' });
      expect(status).to.equal(422);
    });
  });
});
