import { expect } from 'chai';
import { type MetadataTenant, metadataTenant } from '../../support/metadata-tenant.ts';
import { ScrapedMetrics } from '../../support/scraped-metrics.ts';
import { localStack } from '../../support/local-stack.ts';

describe('the metadata interface', () => {
  let own: MetadataTenant;
  before(async () => (own = await metadataTenant(1)));

  it('returns 400 for a body that is not JSON', async () => {
    expect(await own.client.putText('{"agent":')).to.deep.equal({
      status: 400,
      body: { code: 'BAD_REQUEST', message: 'The request body is not valid JSON' },
    });
  });

  it('returns 400 for a body that is nested thousands of levels deep', async () => {
    const deep = '['.repeat(5_000) + ']'.repeat(5_000);
    expect(
      await own.client.putText(
        `{"agent":{"agent_id":${deep}},"metadata":{"custom":{"a":${deep}}}}`,
      ),
    ).to.deep.equal({
      status: 400,
      body: {
        code: 'BAD_REQUEST',
        message: 'The request body is nested more than 16 levels deep',
      },
    });
  });

  it('returns 400 for a body that names a field twice', async () => {
    expect(
      await own.client.putText('{"agent":{"unit_id":1,"unit_id":2},"metadata":{}}'),
    ).to.deep.equal({
      status: 400,
      body: { code: 'BAD_REQUEST', message: 'The request body has a duplicate field' },
    });
  });

  it('returns 405 for an unsupported method', async () => {
    const { metadataUrl } = await localStack();
    const reply = await fetch(`${metadataUrl}/metadata`, {
      method: 'DELETE',
      headers: { authorization: `Bearer ${own.tenant.metadataToken}` },
    });
    expect(reply.status).to.equal(405);
    expect(reply.headers.get('allow')).to.equal('PUT');
    expect(await reply.json()).to.have.property('code', 'METHOD_NOT_ALLOWED');
  });

  it('returns 413 for a body that is too large', async () => {
    const { status, body } = await own.client.put({ agent: { agent_id: 'x'.repeat(1_100_000) } });
    expect([status, body.code]).to.deep.equal([413, 'PAYLOAD_TOO_LARGE']);
  });

  it('returns 415 for a body that is not application/json', async () => {
    const { status, body } = await own.client.putText('agent=1', 'text/plain');
    expect([status, body.code]).to.deep.equal([415, 'UNSUPPORTED_MEDIA_TYPE']);
  });

  it('returns 500 on the endpoint for testing errors, with and without a token', async () => {
    const failure = {
      status: 500,
      body: {
        code: 'UNKNOWN_ERROR',
        message: 'An unexpected error occurred. Please retry shortly.',
      },
    };
    const path = '/response-internal-server-error';
    expect(await own.client.get(path)).to.deep.equal(failure);
    const { metadataUrl, metadataOpsUrl } = await localStack();
    const reply = await fetch(`${metadataUrl}${path}`);
    expect({ status: reply.status, body: await reply.json() }).to.deep.equal(failure);
    // Otherwise anyone could raise the alert on failed requests.
    const metrics = await ScrapedMetrics.from(metadataOpsUrl);
    expect(metrics.value('netpanel_request_duration_seconds_count', { route: path })).to.be.NaN;
  });
});
