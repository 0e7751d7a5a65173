import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { fetched, fileData } from '../../support/exported-file.ts';
import { localStack } from '../../support/local-stack.ts';
import { addAgent, newTenant } from '../../support/tenant.ts';

const march = { test: 'httpget', date: { from: '2026-03-01', to: '2026-03-01' } };

describe('an export link', () => {
  let api: DataApi;
  let url: string;
  let whole: Buffer;

  before(async () => {
    const { clickhouse, database, queryUrl } = await localStack();
    const { organisationId, dataToken } = await newTenant(database);
    api = new DataApi(queryUrl, dataToken);
    const agent = { agentId: 'wb-1', unitId: 72 };
    const agentKey = await addAgent(database, organisationId, agent);
    const dtime = '2026-03-01 00:00:00.000';
    await addDownloads(clickhouse, organisationId, [{ agentKey, ...agent, dtime, mbps: 8 }]);
    ({ url } = fileData(await api.post('/test_data.csv', march)));
    whole = await fetched(url);
  });

  it('downloads an attachment with its length, without a token', async () => {
    const response = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
    expect(response.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
    expect(response.headers.get('content-disposition')).to.match(
      /^attachment; filename="test_data-[-0-9a-f]{36}\.csv"$/,
    );
    expect(response.headers.get('content-length')).to.equal(String(whole.length));
    await response.arrayBuffer();
  });

  it('responds to HEAD without the content', async () => {
    const response = await fetch(url, {
      method: 'HEAD',
      headers: { 'accept-encoding': 'identity' },
    });
    expect(response.status).to.equal(200);
    expect(response.headers.get('content-length')).to.equal(String(whole.length));
  });

  for (const [range, first, end] of [
    ['bytes=0-9', 0, 10],
    ['bytes=10-', 10, undefined],
    ['bytes=-7', -7, undefined],
    ['bytes=5-999999999', 5, undefined],
  ] as const) {
    it(`206: ${range}`, async () => {
      const response = await fetch(url, { headers: { range } });
      expect(response.status).to.equal(206);
      const part = whole.subarray(first, end);
      const start = first < 0 ? whole.length + first : first;
      expect(response.headers.get('content-range')).to.equal(
        `bytes ${start}-${start + part.length - 1}/${whole.length}`,
      );
      expect(Buffer.from(await response.arrayBuffer()).equals(part)).to.equal(true);
    });
  }

  it('200: a suffix range longer than the file', async () => {
    const response = await fetch(url, { headers: { range: `bytes=-${whole.length + 1}` } });
    expect(response.status).to.equal(200);
    expect(Buffer.from(await response.arrayBuffer()).equals(whole)).to.equal(true);
  });

  it('416: a range after the end of the file', async () => {
    const response = await fetch(url, { headers: { range: `bytes=${whole.length}-` } });
    expect(response.status).to.equal(416);
    expect(response.headers.get('content-range')).to.equal(`bytes */${whole.length}`);
  });

  it('compresses the file for clients that accept gzip', async () => {
    const response = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
    expect(response.headers.get('content-encoding')).to.equal('gzip');
    expect(Buffer.from(await response.arrayBuffer()).equals(whole)).to.equal(true);
  });

  it('writes only JSON to the log of the service', async () => {
    const { stateDir } = await localStack();
    const log = await readFile(join(stateDir, 'log', 'query.log'), 'utf8');
    expect(log).to.include('"route":"/csv/:id"');
    expect(log.split('\n').filter((line) => !/^(\{.*\})?$/.test(line))).to.deep.equal([]);
  });
});
