import { expect } from 'chai';
import { dayBefore } from '../../support/day-before.ts';
import { ingestTenant, ndjson, result } from '../../support/ingest-tenant.ts';
import { localStack } from '../../support/local-stack.ts';
import { noRateLimits } from '../../support/no-rate-limits.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { type QueryService, startQueryService } from '../../support/query-service.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';

describe('an answer after ingestion', () => {
  let service: QueryService;
  before(async () => {
    service = await startQueryService({ ...noRateLimits, STORED_ANSWERS_MIN_MS: '0' });
  });
  after(() => service.stop());

  it('has the new results and the corrections, and another ETag', async () => {
    const tenant = await ingestTenant();
    const { database } = await localStack();
    await waitUntilPublished(database, tenant.organisationId);
    // Two days ago: the bucket is finished, so its answer is stored.
    const row = (bytesSec: number) => ({
      ...result(2 * 24 * 60, bytesSec),
      dtime: `${dayBefore(2)} 12:00:00`,
    });
    const ask = async (headers: Record<string, string> = {}) => {
      const response = await fetch(`${service.url}/metric_data`, {
        method: 'POST',
        headers: {
          authorization: tenant.dataToken,
          'content-type': 'application/json',
          ...headers,
        },
        body: JSON.stringify({
          ...plainRequest,
          // Not relative to now, which changes between the requests.
          time: { from: dayBefore(3), to: dayBefore(1) },
        }),
      });
      const text = await response.text();
      const numbers = [...text.matchAll(/"median":([\d.]+)/g)].map(([, number]) => Number(number));
      return { status: response.status, tag: response.headers.get('etag') ?? '', numbers };
    };
    const empty = await ask();
    await tenant.post('/results/httpget', ndjson(row(1_000_000)));
    const first = await ask({ 'if-none-match': empty.tag });
    expect(first).to.deep.include({ status: 200, numbers: [8] });
    expect((await ask({ 'if-none-match': first.tag })).status).to.equal(304);
    await tenant.post('/results/httpget?replace=true', ndjson(row(2_000_000)));
    const corrected = await ask({ 'if-none-match': first.tag });
    expect(corrected).to.deep.include({ status: 200, numbers: [16] });
    expect(new Set([empty.tag, first.tag, corrected.tag])).to.have.property('size', 3);
  });
});
