import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect } from 'chai';
import { DataApi } from '../../support/data-api.ts';
import { addDownloads } from '../../support/downloads.ts';
import { fetched, type FileData, fileData } from '../../support/exported-file.ts';
import { localStack } from '../../support/local-stack.ts';
import { addAgent, newTenant } from '../../support/tenant.ts';

const march = { test: 'httpget', date: { from: '2026-03-01', to: '2026-03-01' } };

describe('The link to a file', () => {
  let api: DataApi;
  let url: string;
  let whole: Buffer;

  before(async function () {
    this.timeout(180_000);
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

  it('is an attachment with its length and needs no token', async () => {
    const answer = await fetch(url, { headers: { 'accept-encoding': 'identity' } });
    expect(answer.headers.get('content-type')).to.equal('text/csv; charset=utf-8');
    expect(answer.headers.get('content-disposition')).to.match(
      /^attachment; filename="test_data-[-0-9a-f]{36}\.csv"$/,
    );
    expect(answer.headers.get('content-length')).to.equal(String(whole.length));
    await answer.arrayBuffer();
  });

  it('answers HEAD without the content', async () => {
    const answer = await fetch(url, {
      method: 'HEAD',
      headers: { 'accept-encoding': 'identity' },
    });
    expect(answer.status).to.equal(200);
    expect(answer.headers.get('content-length')).to.equal(String(whole.length));
  });

  for (const [range, first, end] of [
    ['bytes=0-9', 0, 10],
    ['bytes=10-', 10, undefined],
    ['bytes=-7', -7, undefined],
    ['bytes=5-999999999', 5, undefined],
  ] as const) {
    it(`206: ${range}`, async () => {
      const answer = await fetch(url, { headers: { range } });
      expect(answer.status).to.equal(206);
      const part = whole.subarray(first, end);
      const start = first < 0 ? whole.length + first : first;
      expect(answer.headers.get('content-range')).to.equal(
        `bytes ${start}-${start + part.length - 1}/${whole.length}`,
      );
      expect(Buffer.from(await answer.arrayBuffer()).equals(part)).to.equal(true);
    });
  }

  it('200: the last bytes, more of them than the file has', async () => {
    const answer = await fetch(url, { headers: { range: `bytes=-${whole.length + 1}` } });
    expect(answer.status).to.equal(200);
    expect(Buffer.from(await answer.arrayBuffer()).equals(whole)).to.equal(true);
  });

  it('416: a range after the end of the file', async () => {
    const answer = await fetch(url, { headers: { range: `bytes=${whole.length}-` } });
    expect(answer.status).to.equal(416);
    expect(answer.headers.get('content-range')).to.equal(`bytes */${whole.length}`);
  });

  it('packs the file for whoever accepts gzip', async () => {
    const answer = await fetch(url, { headers: { 'accept-encoding': 'gzip' } });
    expect(answer.headers.get('content-encoding')).to.equal('gzip');
    expect(Buffer.from(await answer.arrayBuffer()).equals(whole)).to.equal(true);
  });

  it('403: tampered with in any part', async () => {
    const answer = await api.post('/test_data_download', march);
    for (const link of [url, (answer.body.data as FileData).url]) {
      for (const changed of tampered(link)) {
        const { status } = await fetch(changed);
        expect(status, changed).to.equal(403);
      }
    }
  });

  it('leaves only JSON in the log of the service', async () => {
    const { stateDir } = await localStack();
    const log = await readFile(join(stateDir, 'log', 'query.log'), 'utf8');
    expect(log).to.include(new URL(url).pathname);
    expect(log.split('\n').filter((line) => !/^(\{.*\})?$/.test(line))).to.deep.equal([]);
  });

  function tampered(link: string): string[] {
    const address = new URL(link);
    const expires = Number(address.searchParams.get('expires'));
    const change = (alter: (copy: URL) => void) => {
      const copy = new URL(link);
      alter(copy);
      return copy.href;
    };
    return [
      change((copy) => copy.searchParams.set('expires', String(expires + 1))),
      change((copy) => copy.searchParams.set('signature', 'x')),
      change((copy) => copy.searchParams.delete('signature')),
      change((copy) => copy.searchParams.delete('expires')),
      change((copy) => (copy.pathname = copy.pathname.replace(/[0-9a-f](?=[^/]*$)/, 'z'))),
    ];
  }
});
