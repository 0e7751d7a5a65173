import { once } from 'node:events';
import { request as httpRequest, type ClientRequest, type IncomingMessage } from 'node:http';
import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { addManyDownloads } from '../../support/downloads.ts';
import { isQueryRunning } from '../../support/local-clickhouse.ts';
import { localStack, type LocalStack } from '../../support/local-stack.ts';
import { type QueryService, startQueryService } from '../../support/query-service.ts';
import { newTenant, type Tenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

const rowCount = 150_000;
/** With it as a column, the rows are 70 MB: more than the buffers of all sockets, so that the query runs until it is read. */
const longTarget = "repeat('x', 400)";
const everything = {
  metric: 'httpget',
  chartType: 'raw',
  normalised: false,
  prefilter: false,
  time: { from: '2026-01-01 00:00', to: '2026-01-31 23:59' },
};

describe('a long streamed response', () => {
  let stack: LocalStack;
  let tenant: Tenant;
  let service: QueryService;

  before(async () => {
    stack = await localStack();
    tenant = await newTenant(stack.database);
    const { clickhouse } = stack;
    await addManyDownloads(clickhouse, tenant.organisationId, rowCount, longTarget);
    service = await startQueryService({
      MAX_RESULT_ROWS: String(rowCount - 1),
      MAX_RUNNING_QUERIES: '1',
      QUERY_QUEUE_MS: '200',
    });
  });

  after(() => service.stop());

  it('has every row', async () => {
    const api = new DataApi(stack.queryUrl, tenant.dataToken);
    const [{ body }, rows] = await Promise.all([
      api.post('/metric_data', { ...everything, chartType: 'aggregate', aggregation: 'total' }),
      rawResponse(stack.queryUrl),
    ]);
    const [series] = body.data as { metricData: { sampleCount: number }[] }[];
    expect(series?.metricData[0]?.sampleCount).to.equal(rowCount);
    expect(rows.complete).to.be.true;
    const { data } = JSON.parse(rows.text) as { data: { metricData: unknown[] }[] };
    expect(data).to.have.length(1);
    expect(data[0]?.metricData).to.have.length(rowCount);
  });

  it('is aborted when the query fails after the first bytes, and never looks complete', async () => {
    const { status, complete, text } = await rawResponse(service.url);
    expect(status).to.equal(200);
    expect(text).to.match(/^\{"code":"OK"/);
    expect(complete).to.be.false;
    expect(() => JSON.parse(text) as unknown).to.throw();
    expect(text).not.to.match(/exception|DB::|Code: /i);
  });

  it('is cancelled in ClickHouse and frees its query slot when the client disconnects', async () => {
    const url = service.url;
    const { request, response } = await openRequest(url, { ...everything, splits: ['target'] });
    const queryId = String(response.headers['x-query-id']);
    const api = new DataApi(url, tenant.dataToken);
    // Not the request of the test above, whose answer may be stored and then needs no slot.
    const daily = { ...everything, chartType: 'aggregate', aggregation: 'daily' };
    const refused = await api.post('/metric_data', daily);
    expect(refused.status).to.equal(429);
    expect(refused.headers.get('retry-after')).to.equal('1');

    request.destroy();
    await waitUntil(async () => !(await isQueryRunning(stack.clickhouseUrl, queryId)));
    await waitUntil(async () => (await api.post('/metric_data', daily)).status === 200);
  });

  async function rawResponse(url: string) {
    const { response } = await openRequest(url, everything);
    const chunks: Buffer[] = [];
    response.on('data', (chunk: Buffer) => chunks.push(chunk));
    response.on('error', () => undefined);
    await new Promise((resolve) => response.once('close', resolve));
    return {
      status: response.statusCode,
      complete: response.complete,
      text: Buffer.concat(chunks).toString('utf8'),
    };
  }

  /** Resolves when the headers have arrived, without reading the body. */
  async function openRequest(
    url: string,
    body: unknown,
  ): Promise<{ request: ClientRequest; response: IncomingMessage }> {
    const request = httpRequest(`${url}/metric_data`, {
      method: 'POST',
      headers: { authorization: tenant.dataToken, 'content-type': 'application/json' },
    });
    request.end(JSON.stringify(body));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    request.on('error', () => undefined);
    return { request, response };
  }
});
