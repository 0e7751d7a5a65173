import { expect } from 'chai';
import { type DataResponse, DataApi } from '../../support/data-api.ts';
import { addManyDownloads } from '../../support/downloads.ts';
import { freePort } from '../../support/free-port.ts';
import { localStack } from '../../support/local-stack.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { startQueryService } from '../../support/query-service.ts';
import { newTenant } from '../../support/tenant.ts';

const january = { from: '2026-01-01 00:00', to: '2026-01-31 23:59' };
const total = {
  ...plainRequest,
  aggregation: 'total',
  time: january,
};

describe('the limits of the data interface', () => {
  let token: string;

  before(async () => {
    const { database, clickhouse } = await localStack();
    const { organisationId, dataToken } = await newTenant(database);
    token = dataToken;
    await addManyDownloads(clickhouse, organisationId, 40_000);
  });

  it('422: a time range over the limit; the error names the limit', async () => {
    const { status, body } = await responseWith({ MAX_RANGE_DAYS: '30' }, total);
    expect(status).to.equal(422);
    expect(body.errors?.time?.[0]).to.include('30 days');
  });

  it('422: too many filter values; the error names the limit', async () => {
    const { status, body } = await responseWith(
      { MAX_FILTER_VALUES: '2' },
      {
        ...total,
        filters: [{ id: 'target', filterType: 'include', filterValues: ['a', 'b', 'c'] }],
      },
    );
    expect(status).to.equal(422);
    expect(body.errors?.filters?.[0]).to.include('at most 2');
  });

  it('422: too many result rows; the error names the limit', async () => {
    const { status, body } = await responseWith(
      { MAX_RESULT_ROWS: '100' },
      { ...total, chartType: 'raw', aggregation: undefined },
    );
    expect(status).to.equal(422);
    expect(body.errors?.time?.[0]).to.include('100 rows');
    expectNoClickHouseDetails(body);
  });

  it('422: too many rows to read; the error names the limit', async () => {
    const { status, body } = await responseWith({ MAX_ROWS_TO_READ: '1000' }, total);
    expect(status).to.equal(422);
    expect(body.errors?.time?.[0]).to.include('1000 results');
    expectNoClickHouseDetails(body);
  });

  it('422: a query over the memory limit', async () => {
    const { status, body } = await responseWith(
      { QUERY_MEMORY_BYTES: '1000000' },
      { ...total, aggregation: 'hourly', splits: ['agent', 'target'] },
    );
    expect(status).to.equal(422);
    expect(body.errors?.time?.[0]).to.include('memory');
    expectNoClickHouseDetails(body);
  });

  it('504: a query over the time limit', async () => {
    const { status, body } = await responseWith(
      { QUERY_TIMEOUT_MS: '1' },
      { ...total, aggregation: 'hourly', splits: ['agent'] },
    );
    expect(status).to.equal(504);
    expect(body.code).to.equal('QUERY_TIMEOUT');
    expectNoClickHouseDetails(body);
  });

  it('503: ClickHouse is unreachable', async () => {
    const unusedUrl = `http://127.0.0.1:${await freePort()}`;
    const { status, body, headers } = await responseWith({ CLICKHOUSE_URL: unusedUrl }, total);
    expect(status).to.equal(503);
    expect(body.code).to.equal('SERVICE_UNAVAILABLE');
    expect(Number(headers.get('retry-after'))).to.be.greaterThan(0);
    expectNoClickHouseDetails(body);
  });

  it('500: any other ClickHouse error, without details for the client', async () => {
    const { status, body } = await responseWith({ CLICKHOUSE_DATABASE: 'nowhere' }, total);
    expect(status).to.equal(500);
    expect(body).to.deep.equal({
      code: 'UNKNOWN_ERROR',
      message: 'An unexpected error occurred. Please retry shortly.',
    });
  });

  async function responseWith(
    settings: Readonly<Record<string, string>>,
    request: unknown,
  ): Promise<DataResponse> {
    const service = await startQueryService(settings);
    try {
      return await new DataApi(service.url, token).post('/metric_data', request);
    } finally {
      await service.stop();
    }
  }

  function expectNoClickHouseDetails(body: unknown): void {
    expect(JSON.stringify(body)).not.to.match(/clickhouse|DB::|exception|127\.0\.0\.1|Code: \d/i);
  }
});
