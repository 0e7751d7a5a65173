import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { fetched, fileData } from '../../support/exported-file.ts';
import { localStack } from '../../support/local-stack.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { addAgent, newTenant } from '../../support/tenant.ts';
import { decoded, undecodedResponse } from '../../support/undecoded-response.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';

const march = { test: 'httpget', date: { from: '2026-03-01', to: '2026-03-01' } };
const daily = {
  ...plainRequest,
  splits: ['target'],
  time: { from: '2026-03-01 00:00', to: '2026-03-02 23:59' },
};
const raw = { ...daily, chartType: 'raw', splits: ['isp'] };
const emptyTime = { from: '2001-01-01 00:00', to: '2001-01-02 00:00' };
const targets = ['plain', 'a "quoted", one', 'line\nend', 'ünïcode 東京', '=1+1'];

describe('the format of a data response', () => {
  let url: string;
  let token: string;
  let api: DataApi;

  before(async () => {
    const { clickhouse, database, queryUrl } = await localStack();
    const { organisationId, dataToken } = await newTenant(database);
    [url, token, api] = [queryUrl, dataToken, new DataApi(queryUrl, dataToken)];
    const agent = { agentId: 'wb-1', unitId: 72 };
    const agentKey = await addAgent(database, organisationId, agent);
    await addDownloads(
      clickhouse,
      organisationId,
      targets.map((target, i) => {
        const dtime = `2026-03-01 00:00:0${i}.000`;
        return { agentKey, ...agent, dtime, mbps: 8 + i, target };
      }),
    );
    // Until then, responses have a warning.
    await waitUntilPublished(database, organisationId);
  });

  describe('Accept: text/csv', () => {
    for (const [path, body] of [
      ['/metric_data', daily],
      ['/metric_data', raw],
      ['/metric_data', { ...raw, time: emptyTime }],
      ['/test_data', march],
    ] as const) {
      it(`200: POST ${path} returns the bytes of the CSV export: ${JSON.stringify(body).slice(0, 60)}…`, async () => {
        const { status, headers, content } = await post(path, body, { accept: 'text/csv' });
        expect(status).to.equal(200);
        expect(headers['content-type']).to.equal('text/csv; charset=utf-8');
        const file = await fetched(fileData(await api.post(`${path}.csv`, body)).url);
        expect(content.toString()).to.equal(file.toString());
      });
    }

    it('200: only the header if there are no results', async () => {
      const empty = { ...raw, time: emptyTime };
      const { content } = await post('/metric_data', empty, { accept: 'text/csv' });
      expect(content.toString()).to.equal('"isp","metricValue","dtime","agent","unit"\n');
    });
  });

  describe('Accept: application/x-ndjson', () => {
    const accept = 'application/x-ndjson';

    it('200: one point per line, with its splits and a field per percentile', async () => {
      const { status, headers, content } = await post('/metric_data', daily, { accept });
      expect(status).to.equal(200);
      expect(headers['content-type']).to.equal('application/x-ndjson');
      expect(headers['netpanel-clock']).to.equal('agent-local');
      const rows = linesOf(content);
      expect(rows.map(({ target }) => target)).to.have.members(targets);
      const plain = rows.find(({ target }) => target === 'plain');
      expect(plain).to.include({ metricValue: 8, dtime: '2026-03-01', sampleCount: 1, p50: 8 });
      expect(plain).not.to.have.property('percentiles');
    });

    it('200: the rows of a test, as in the JSON response', async () => {
      const { headers, content } = await post('/test_data', march, { accept });
      expect(headers['netpanel-clock']).to.equal('UTC');
      const { body } = await api.post('/test_data', march);
      expect(linesOf(content)).to.deep.equal(body.data);
      expect(body.data).to.have.length(targets.length);
    });

    it('200: nothing if there are no results', async () => {
      const empty = { ...raw, time: emptyTime };
      const { status, headers, content } = await post('/metric_data', empty, { accept });
      expect({ status, length: content.length }).to.deep.equal({ status: 200, length: 0 });
      expect(headers['content-type']).to.equal('application/x-ndjson');
    });

    it('422: an invalid request gets the JSON envelope', async () => {
      const invalid = { ...daily, metric: 'htpget' };
      const { status, headers, content } = await post('/metric_data', invalid, { accept });
      expect(status).to.equal(422);
      expect(headers['content-type']).to.equal('application/json; charset=utf-8');
      expect(JSON.parse(content.toString())).to.have.nested.property('errors.metric');
    });

    it('200: warnings are in a header, as ASCII', async () => {
      const { headers } = await post('/metric_data', { ...daily, 'tïme\u007f': 1 }, { accept });
      const header = String(headers['netpanel-warnings']);
      expect(header).to.match(/^[\x20-\x7e]+$/);
      const [warning] = JSON.parse(header) as { code: string; field: string }[];
      expect(warning).to.include({ code: 'UNKNOWN_FIELD', field: 'tïme\u007f' });
      const many = Object.fromEntries(
        Array.from({ length: 30 }, (_, i) => [`ï${i}`.repeat(50), i]),
      );
      const { headers: full } = await post('/test_data', { ...march, ...many }, { accept });
      expect(String(full['netpanel-warnings']).length).to.be.within(3_000, 4_096);
      expect((JSON.parse(String(full['netpanel-warnings'])) as unknown[]).at(-1)).to.include({
        code: 'MORE_WARNINGS',
      });
    });
  });

  for (const accept of ['*/*', 'application/*', 'text/html', 'text/csv;q=0.5, application/json']) {
    it(`200: JSON for Accept: ${accept}`, async () => {
      const { status, headers, content } = await post('/metric_data', daily, { accept });
      expect(status).to.equal(200);
      expect(headers['content-type']).to.equal('application/json; charset=utf-8');
      expect(JSON.parse(content.toString())).to.include({ code: 'OK' });
    });
  }

  for (const [accepted, encoding] of [
    ['gzip', 'gzip'],
    ['br', 'br'],
    ['gzip, deflate, br', 'gzip'],
    ['gzip;q=0, br', 'br'],
    ['gzip;q=0.5, br;q=1.0', 'br'],
    ['identity;q=0, *', 'gzip'],
    ['identity, gzip;q=0.5', undefined],
    ['deflate', undefined],
    ['gzip;q=0', undefined],
    ['', undefined],
  ] as const) {
    it(`200: ${encoding ?? 'not'} compressed for Accept-Encoding: ${accepted}`, async () => {
      const plain = await post('/metric_data', daily, {});
      const { headers, content } = await post('/metric_data', daily, {
        'accept-encoding': accepted,
      });
      expect(headers['content-encoding']).to.equal(encoding);
      expect(headers.vary).to.equal('Accept, Accept-Encoding');
      expect(decoded(content, encoding).toString()).to.equal(plain.content.toString());
    });
  }

  it('200: does not compress a small response, unless the client accepts nothing else', async () => {
    const empty = { ...raw, time: emptyTime };
    const gzip = await post('/metric_data', empty, { 'accept-encoding': 'gzip' });
    expect(gzip.headers['content-encoding']).to.equal(undefined);
    const only = await post('/metric_data', empty, { 'accept-encoding': 'gzip, identity;q=0' });
    expect(only.headers['content-encoding']).to.equal('gzip');
    expect(gunzipSync(only.content).equals(gzip.content)).to.equal(true);
  });

  it('422: an error is not marked as compressed', async () => {
    const invalid = { ...daily, metric: 'htpget' };
    const { status, headers, content } = await post('/metric_data', invalid, {
      'accept-encoding': 'gzip',
    });
    expect(status).to.equal(422);
    expect(headers['content-encoding']).to.equal(undefined);
    expect(JSON.parse(content.toString())).to.include({ code: 'VALIDATION_FAIL' });
  });

  function post(path: string, body: object, headers: Readonly<Record<string, string>>) {
    return undecodedResponse(`${url}${path}`, {
      method: 'POST',
      headers: { authorization: token, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  }
});

function linesOf(content: Buffer): Record<string, unknown>[] {
  const text = content.toString();
  expect(text.endsWith('\n')).to.equal(true);
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Record<string, unknown>);
}
