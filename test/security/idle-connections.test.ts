import { expect } from 'chai';
import { ingestTenant, ndjson, postResults, result } from '../support/ingest-tenant.ts';
import { ScrapedMetrics } from '../support/scraped-metrics.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { unfinishedRequest } from '../support/unfinished-request.ts';
import { waitUntil } from '../support/wait-until.ts';

const mebibyte = 1024 ** 2;

describe('idle connections of one organisation', () => {
  let service: ServiceProcess;
  before(async () => {
    service = await startServiceProcess('ingest', {});
  });
  after(() => service.kill('SIGTERM'));

  const running = async () => {
    const metrics = await ScrapedMetrics.from(service.opsUrl);
    return metrics.value('netpanel_ingest_running_requests');
  };
  const bufferedBytes = async () => {
    const metrics = await ScrapedMetrics.from(service.opsUrl);
    return metrics.value('netpanel_ingest_buffered_bytes');
  };
  const idle = (token: string, length: number, beginning: string | Uint8Array, headers = {}) =>
    unfinishedRequest(
      service.url,
      ['POST', '/results/httpget'],
      {
        authorization: `Bearer ${token}`,
        'content-type': 'application/x-ndjson',
        'content-length': String(length),
        ...headers,
      },
      beginning,
    );

  it('that announce 21 MiB reserve nothing, and results of another one are stored', async () => {
    const [attacker, other] = [await ingestTenant(), await ingestTenant()];
    const idling = await Promise.all(
      Array.from({ length: 4 }, () => idle(attacker.token, 21 * mebibyte, '{')),
    );
    try {
      await waitUntil(async () => (await running()) === 4);
      expect(await bufferedBytes()).to.equal(0);
      const large = ndjson(result(1, 1)) + `${' '.repeat(1_000)}\n`.repeat(2_000);
      const reply = await postResults(service.url, other.token, '/results/httpget', large);
      expect([reply.status, reply.body.data?.stored]).to.deep.equal([200, 1]);
      expect(await other.rows('httpget', 'bytes_sec')).to.deep.equal([{ bytes_sec: 1 }]);
    } finally {
      for (const { socket } of idling) socket.destroy();
    }
    await waitUntil(async () => (await running()) === 0);
  });

  it('that open zstd windows of 8 MiB get at most half of the memory, and small requests are stored', async () => {
    const [attacker, other] = [await ingestTenant(), await ingestTenant()];
    // The header of a frame with a window of 8 MiB, and a block with 20,000 bytes as they are.
    const content = Buffer.alloc(20_003, ' ');
    content.writeUIntLE(20_000 << 3, 0, 3);
    const frame = Buffer.concat([Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x00, 13 << 3]), content]);
    const idling = await Promise.all(
      Array.from({ length: 30 }, () =>
        idle(attacker.token, mebibyte, frame, { 'content-encoding': 'zstd' }),
      ),
    );
    try {
      // 7 sixteenths of 448 MiB.
      await waitUntil(async () => (await bufferedBytes()) === 24 * 8 * mebibyte);
      for (const { token } of [attacker, other]) {
        const body = ndjson(result(1, 1));
        const reply = await postResults(service.url, token, '/results/httpget', body);
        expect(reply.status).to.equal(200);
      }
    } finally {
      for (const { socket } of idling) socket.destroy();
    }
    await waitUntil(async () => (await bufferedBytes()) === 0);
  });
});
