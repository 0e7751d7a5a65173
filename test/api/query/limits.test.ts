import { expect } from 'chai';
import { type DataAnswer, DataApi } from '../../support/data-api.ts';
import { addManyDownloads } from '../../support/downloads.ts';
import { freePort } from '../../support/free-port.ts';
import { localStack } from '../../support/local-stack.ts';
import { startQueryService } from '../../support/query-service.ts';
import { newTenant } from '../../support/tenant.ts';

const january = { from: '2026-01-01 00:00', to: '2026-01-31 23:59' };
const total = {
  metric: 'httpget',
  chartType: 'aggregate',
  aggregation: 'total',
  normalised: false,
  prefilter: false,
  time: january,
};

describe('the limits of the data interface', () => {
  let token: string;

  before(async function () {
    this.timeout(180_000);
    const { database, clickhouse } = await localStack();
    const { organisationId, dataToken } = await newTenant(database);
    token = dataToken;
    await addManyDownloads(clickhouse, organisationId, 40_000);
  });

  it('422: a range longer than the limit, which is named', async () => {
    const { status, body } = await answer({ MAX_RANGE_DAYS: '30' }, total);
    expect(status).to.equal(422);
    expect(body.errors?.time?.[0]).to.include('30 days');
  });

  it('422: more filter values than the limit, which is named', async () => {
    const { status, body } = await answer(
      { MAX_FILTER_VALUES: '2' },
      {
        ...total,
        filters: [{ id: 'target', filterType: 'include', filterValues: ['a', 'b', 'c'] }],
      },
    );
    expect(status).to.equal(422);
    expect(body.errors?.filters?.[0]).to.include('at most 2');
  });

  it('422: an answer of more rows than the limit, which is named', async () => {
    const { status, body } = await answer(
      { MAX_RESULT_ROWS: '100' },
      { ...total, chartType: 'raw', aggregation: undefined },
    );
    expect(status).to.equal(422);
    expect(body.errors?.time?.[0]).to.include('100 rows');
    tellsNothingOfClickHouse(body);
  });

  it('422: a request that reads more than the limit, which is named', async () => {
    const { status, body } = await answer({ MAX_ROWS_TO_READ: '1000' }, total);
    expect(status).to.equal(422);
    expect(body.errors?.time?.[0]).to.include('1000 results');
    tellsNothingOfClickHouse(body);
  });

  it('422: a request that needs more memory than one may use', async () => {
    const { status, body } = await answer(
      { QUERY_MEMORY_BYTES: '1000000' },
      { ...total, aggregation: 'hourly', splits: ['agent', 'target'] },
    );
    expect(status).to.equal(422);
    expect(body.errors?.time?.[0]).to.include('memory');
    tellsNothingOfClickHouse(body);
  });

  it('504: a query that takes too long', async () => {
    const { status, body } = await answer(
      { QUERY_TIMEOUT_MS: '1' },
      { ...total, aggregation: 'hourly', splits: ['agent'] },
    );
    expect(status).to.equal(504);
    expect(body.code).to.equal('QUERY_TIMEOUT');
    tellsNothingOfClickHouse(body);
  });

  it('503: ClickHouse cannot be reached', async () => {
    const nobody = `http://127.0.0.1:${await freePort()}`;
    const { status, body, headers } = await answer({ CLICKHOUSE_URL: nobody }, total);
    expect(status).to.equal(503);
    expect(body.code).to.equal('SERVICE_UNAVAILABLE');
    expect(Number(headers.get('retry-after'))).to.be.greaterThan(0);
    tellsNothingOfClickHouse(body);
  });

  it('500: any other error of ClickHouse, of which the caller learns nothing', async () => {
    const { status, body } = await answer({ CLICKHOUSE_DATABASE: 'nowhere' }, total);
    expect(status).to.equal(500);
    expect(body).to.deep.equal({
      code: 'UNKNOWN_ERROR',
      message: 'An unexpected error occurred. Please retry shortly.',
    });
  });

  async function answer(
    settings: Readonly<Record<string, string>>,
    request: unknown,
  ): Promise<DataAnswer> {
    const service = await startQueryService(settings);
    try {
      return await new DataApi(service.url, token).post('/metric_data', request);
    } finally {
      await service.stop();
    }
  }

  function tellsNothingOfClickHouse(body: unknown): void {
    expect(JSON.stringify(body)).not.to.match(/clickhouse|DB::|exception|127\.0\.0\.1|Code: \d/i);
  }
});
