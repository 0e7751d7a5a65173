import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import {
  ingestTenant,
  minutesAgo,
  ndjson,
  type PostBody,
  postResults,
  result,
} from '../support/ingest-tenant.ts';
import { localStack } from '../support/local-stack.ts';
import { ScrapedMetrics } from '../support/scraped-metrics.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { unfinishedRequest } from '../support/unfinished-request.ts';
import { waitUntil } from '../support/wait-until.ts';
import { zstdFrame } from '../support/zstd-frame.ts';

const csv = { 'content-type': 'text/csv' };
const json = { 'content-type': 'application/json' };

describe('floods of short lines', () => {
  const header = 'unit_id,dtime,target\n';
  const lines = /^The request body has more than 500000 lines, the maximum \(INGEST_MAX_LINES\)/;
  const rejected = /^More than 10000 rows are invalid, the maximum \(INGEST_MAX_REJECTED\)/;
  const floods: readonly [string, string, Record<string, string>, number, RegExp][] = [
    ['blank lines', '\n'.repeat(500_001), {}, 413, lines],
    ['blank lines of CSV', `${header}${'\n'.repeat(500_001)}`, csv, 413, lines],
    ['empty objects', '{}\n'.repeat(1_000_000), {}, 422, rejected],
    ['empty rows of CSV', `${header}${',,\n'.repeat(10_001)}`, csv, 422, rejected],
    ['empty objects in an array', `[${'{},'.repeat(600_000)}{}]`, json, 422, rejected],
    [
      'unknown agents',
      ndjson(
        ...Array.from({ length: 10_001 }, (_, i) => ({ unit_id: i + 100, dtime: minutesAgo(1) })),
      ),
      {},
      422,
      rejected,
    ],
  ];
  for (const [name, text, headers, status, message] of floods) {
    it(`of ${name} get ${status} with the limit, and do not use their key`, async () => {
      const tenant = await ingestTenant();
      const body = Buffer.from(text);
      const key = { 'idempotency-key': 'flood' };
      const encoded: readonly [string, Buffer][] = [
        ['gzip', gzipSync(body)],
        ['zstd', zstdFrame(body.subarray(0, 2_000_000))],
      ];
      for (const [encoding, bytes] of encoded) {
        const reply = await tenant.post('/results/jitter', new Uint8Array(bytes), {
          ...headers,
          ...key,
          'content-encoding': encoding,
        });
        expect(reply.status, encoding).to.equal(status);
        expect(reply.body.message).to.match(message);
      }
      const good = ndjson({ unit_id: 7, dtime: minutesAgo(1), target: 'x' });
      const reply = await tenant.post('/results/jitter', good, key);
      expect([reply.status, reply.headers.get('idempotency-replayed')]).to.deep.equal([
        200,
        'false',
      ]);
      expect(await tenant.rows('jitter', 'target')).to.deep.equal([{ target: 'x' }]);
    });
  }

  it('of LMAP rows get 413 or 422, and a report of another organisation is stored meanwhile', async () => {
    const [attacker, other] = [await ingestTenant(), await ingestTenant()];
    const report = (agentId: string, rows: readonly string[]) =>
      `{"ietf-lmap-report:report":{"agent-id":"${agentId}","result":[{"end":"${minutesAgo(1)}","table":[{"function":[{"uri":"urn:netpanel:test:ping"}],"column":["target"],"row":[${rows.join(',')}]}]}]}}`;
    const rows = (count: number) => Array.from({ length: count }, (_, i) => `{"value":["${i}"]}`);
    const values = report('none', rows(4_000));
    const unknown = report('none', rows(3_000));
    const nested = report('none', ['['.repeat(100_000) + ']'.repeat(100_000)]);
    const bomb = gzipSync(report('none', [' '.repeat(50 * 1024 ** 2)]));
    const send = (body: PostBody, headers = {}) =>
      attacker.post('/lmap/reports', body, { ...json, ...headers });
    const [attacks, good] = await Promise.all([
      Promise.all([
        send(values),
        send(unknown),
        send(nested),
        send(new Uint8Array(bomb), { 'content-encoding': 'gzip' }),
      ]),
      other.post('/lmap/reports', report('box-7', rows(2)), json),
    ]);
    expect(attacks.map(({ status }) => status)).to.deep.equal([413, 422, 400, 413]);
    expect(attacks[0].body.message).to.equal('The request body has more than 10000 values');
    expect(good.status).to.equal(200);
    expect(await attacker.rows('ping', 'target')).to.deep.equal([]);
    expect(await other.rows('ping', 'target')).to.have.length(2);
  });

  it('of zstd blocks leave the service to other organisations', async () => {
    const [attacker, other] = [await ingestTenant(), await ingestTenant()];
    // 4,000 blocks that repeat a line feed once; each moves a window of 8 MiB.
    const block = Buffer.from([(1 << 3) | 2, 0, 0, 0x0a]);
    const last = Buffer.from([(1 << 3) | 3, 0, 0, 0x0a]);
    const frame = Buffer.concat([
      Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 13 << 3]),
      ...Array<Buffer>(4_000).fill(block),
      last,
    ]);
    const order: string[] = [];
    const post = (name: string, sent: Promise<{ status: number }>) =>
      sent.then(({ status }) => order.push(`${name} ${status}`));
    const bomb = post(
      'bomb',
      attacker.post('/results/httpget', new Uint8Array(frame), { 'content-encoding': 'zstd' }),
    );
    const { ingestOpsUrl } = await localStack();
    await waitUntil(async () => {
      const metrics = await ScrapedMetrics.from(ingestOpsUrl);
      return metrics.value('netpanel_ingest_buffered_bytes') >= 8 * 1024 ** 2;
    });
    await post('other', other.post('/results/httpget', ndjson(result(1, 1))));
    await bomb;
    expect(order).to.deep.equal(['other 200', 'bomb 200']);
  });
});

describe('a client that disconnects', () => {
  let service: ServiceProcess;
  before(async () => {
    service = await startServiceProcess('ingest', {});
  });
  after(() => service.kill('SIGTERM'));

  it('ends the work on its results, and nothing is stored', async () => {
    const tenant = await ingestTenant();
    const time = Math.floor(Date.now() / 1000);
    const row = (i: number) => `7,${new Date((time - i) * 1000).toISOString()},${i}\n`;
    const body = `unit_id,dtime,target\n${Array.from({ length: 100_000 }, (_, i) => row(i)).join('')}`;
    const { socket } = await unfinishedRequest(
      service.url,
      ['POST', '/results/jitter'],
      {
        authorization: `Bearer ${tenant.token}`,
        'content-type': 'text/csv',
        'content-length': String(body.length),
      },
      '',
    );
    await new Promise((resolve) => socket.write(body, resolve));
    socket.destroy();
    await waitUntil(async () => {
      const metrics = await ScrapedMetrics.from(service.opsUrl);
      return metrics.value('netpanel_ingest_running_requests') === 0;
    });
    expect(await tenant.rows('jitter', 'target')).to.deep.equal([]);
    const reply = await postResults(
      service.url,
      tenant.token,
      '/results/httpget',
      ndjson(result(1, 1)),
    );
    expect(reply.status).to.equal(200);
  });
});
