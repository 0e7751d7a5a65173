import { expect } from 'chai';
import { startExport } from '../../support/background-export.ts';
import { DataApi } from '../../support/data-api.ts';
import { localStack, type LocalStack } from '../../support/local-stack.ts';
import { metadataTenant, type MetadataTenant } from '../../support/metadata-tenant.ts';
import { decoded, undecodedResponse } from '../../support/undecoded-response.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';

describe('the compression of JSON responses', () => {
  let stack: LocalStack;
  let agents: MetadataTenant;
  const ownValue = 'x'.repeat(1_000);

  before(async () => {
    stack = await localStack();
    agents = await metadataTenant();
    await agents.client.put({
      agent: { unit_id: 1 },
      metadata: { custom: { one: ownValue, other: ownValue } },
    });
    await waitUntilPublished(stack.database, agents.tenant.organisationId);
  });

  // The list of /tests is too small.
  for (const path of ['/metrics', '/splits', '/filters', '/filters/one/values']) {
    it(`GET ${path} is compressed as the client accepts it`, async () => {
      await expectCompressed(`${stack.queryUrl}${path}`, agents.tenant.dataToken);
    });
  }

  for (const path of ['/metadata/unit/1', '/metadata/unit/1/history']) {
    it(`GET ${path} is compressed as the client accepts it`, async () => {
      const { metadataToken } = agents.tenant;
      await expectCompressed(`${stack.metadataUrl}${path}`, `Bearer ${metadataToken}`);
    });
  }

  it('an error is compressed, unless it is small', async () => {
    const invalid = Object.fromEntries(
      [...Array(20).keys()].map((n) => [`unknown_${n}`, ownValue]),
    );
    const put = (body: object, encoding: string) =>
      undecodedResponse(`${stack.metadataUrl}/metadata`, {
        method: 'PUT',
        headers: {
          authorization: `Bearer ${agents.tenant.metadataToken}`,
          'content-type': 'application/json',
          'accept-encoding': encoding,
        },
        body: JSON.stringify({ agent: { unit_id: 1 }, ...body }),
      });
    const plain = await put({ metadata: invalid }, 'identity');
    expect([plain.status, plain.headers['content-encoding']]).to.deep.equal([422, undefined]);
    const gzip = await put({ metadata: invalid }, 'gzip');
    expect([gzip.status, gzip.headers['content-encoding']]).to.deep.equal([422, 'gzip']);
    expect(decoded(gzip.content, 'gzip').toString()).to.equal(plain.content.toString());
    const small = await put({ metadata: { unknown: 1 } }, 'gzip');
    expect([small.status, small.headers['content-encoding']]).to.deep.equal([422, undefined]);
    expect(JSON.parse(small.content.toString())).to.include({ code: 'VALIDATION_FAIL' });
  });

  it('a small response is not compressed, unless the client accepts nothing else', async () => {
    const url = `${stack.metadataUrl}/metadata/unit/2`;
    const headers = { authorization: `Bearer ${agents.tenant.metadataToken}` };
    const get = (encoding: string) =>
      undecodedResponse(url, { headers: { ...headers, 'accept-encoding': encoding } });
    const small = await get('gzip, br');
    expect(small.headers).to.include({ vary: 'Origin, Accept-Encoding' });
    expect(small.headers['content-encoding']).to.equal(undefined);
    const only = await get('br, identity;q=0');
    expect(only.headers['content-encoding']).to.equal('br');
    expect(decoded(only.content, 'br').toString()).to.equal(small.content.toString());
  });

  it('the status of an export is compressed, and its Parquet file is not', async () => {
    const { queryUrl, env } = stack;
    const token = env.DEMO_DATA_TOKEN ?? '';
    const body = { test: 'httpget', date: { from: '-2 days', to: 'now' } };
    const id = await startExport(new DataApi(queryUrl, token), body);
    const only = { authorization: token, 'accept-encoding': 'gzip, identity;q=0' };
    const status = await undecodedResponse(`${queryUrl}/exports/${id}`, { headers: only });
    expect(status.headers['content-encoding']).to.equal('gzip');
    expect(JSON.parse(decoded(status.content, 'gzip').toString())).to.have.nested.property(
      'data.id',
      id,
    );
    const { body: made } = await new DataApi(queryUrl, token).post('/test_data_download', {
      ...body,
      format: 'parquet',
    });
    const { url } = made.data as { url: string };
    const file = await undecodedResponse(url, { headers: { 'accept-encoding': 'gzip, br' } });
    expect(file.headers['content-encoding']).to.equal(undefined);
    expect(file.content.subarray(0, 4).toString()).to.equal('PAR1');
  });

  async function expectCompressed(url: string, authorization: string): Promise<void> {
    const get = (encoding: string) =>
      undecodedResponse(url, { headers: { authorization, 'accept-encoding': encoding } });
    const plain = await get('identity');
    expect(plain.headers['content-encoding']).to.equal(undefined);
    expect(plain.content.length).to.be.greaterThan(1_024);
    for (const encoding of ['gzip', 'br']) {
      const { status, headers, content } = await get(encoding);
      expect(status).to.equal(200);
      expect(headers['content-encoding']).to.equal(encoding);
      expect(headers.vary?.split(', ')).to.include('Accept-Encoding');
      expect(headers['content-type']).to.equal('application/json; charset=utf-8');
      expect(headers['content-length']).to.equal(String(content.length));
      expect(decoded(content, encoding).toString()).to.equal(plain.content.toString());
      expect(content.length).to.be.lessThan(plain.content.length);
    }
  }
});
