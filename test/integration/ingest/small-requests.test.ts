import { expect } from 'chai';
import { queryRows } from '../../../services/shared/clickhouse/query-rows.ts';
import {
  ingestTenant,
  minutesAgo,
  ndjson,
  postResults,
  result,
} from '../../support/ingest-tenant.ts';
import { ScrapedMetrics } from '../../support/scraped-metrics.ts';
import { startServiceProcess } from '../../support/service-process.ts';
import { unfinishedRequest } from '../../support/unfinished-request.ts';
import { waitUntil } from '../../support/wait-until.ts';

const [requests, senders] = [120, 20];

describe('many small requests', () => {
  it('of several organisations are inserted together, and each is stored once', async () => {
    const service = await startServiceProcess('ingest', { INGEST_BATCH_MS: '1000' });
    try {
      const tenants = [await ingestTenant(), await ingestTenant()];
      const [{ clickhouse }] = tenants as [(typeof tenants)[0]];
      const inserts = async () => {
        const metrics = await (await fetch(`${service.opsUrl}/metrics`)).text();
        const [, count = '0'] =
          /netpanel_ingest_requests_per_insert_count\{[^}]*\} (\d+)/.exec(metrics) ?? [];
        return Number(count);
      };
      const dtime = minutesAgo(5);
      const statuses: number[] = [];
      const sender = async (_: unknown, first: number) => {
        for (let i = first; i < requests; i += senders) {
          const { token } = tenants[i % 2]!;
          const row = { ...result(5, i), dtime, target: `t${i}` };
          const reply = await postResults(service.url, token, '/results/httpget', ndjson(row));
          statuses.push(reply.status);
        }
      };
      await Promise.all(Array.from({ length: senders }, sender));
      expect(new Set(statuses)).to.deep.equal(new Set([200]));
      for (const [place, { organisationId }] of tenants.entries()) {
        const rows = await queryRows<{ bytes_sec: number }>(
          clickhouse,
          `SELECT bytes_sec FROM test_httpget WHERE organisation_id = ${organisationId} ORDER BY bytes_sec`,
        );
        const sent = Array.from({ length: requests / 2 }, (_, i) => 2 * i + place);
        expect(rows.map(({ bytes_sec }) => bytes_sec)).to.deep.equal(sent);
      }
      // Without batches: one per request.
      expect(await inserts()).to.be.within(1, requests / 3);
    } finally {
      await service.kill('SIGTERM');
    }
  });

  it('wait for memory, and get 503 with Retry-After when there is none in time', async () => {
    const service = await startServiceProcess('ingest', {
      INGEST_MAX_BUFFERED_BYTES: String(28 * 1024 ** 2),
      INGEST_MAX_DECODED_BYTES: String(4 * 1024 ** 2),
      INGEST_QUEUE_MS: '0',
    });
    try {
      const tenant = await ingestTenant();
      // 3 times 4 MiB fit into half of seven eighths, 8 MiB do not.
      const large = `${' '.repeat(1_000)}\n`.repeat(4_000);
      const unfinished = await unfinishedRequest(
        service.url,
        ['POST', '/results/httpget'],
        {
          authorization: `Bearer ${tenant.token}`,
          'content-type': 'application/x-ndjson',
          'content-length': String(large.length + 1),
        },
        large,
      );
      await waitUntil(async () => {
        const metrics = await ScrapedMetrics.from(service.opsUrl);
        return metrics.value('netpanel_ingest_buffered_bytes') > 10 * 1024 ** 2;
      });
      const reply = await postResults(service.url, tenant.token, '/results/httpget', large);
      unfinished.socket.destroy();
      expect([reply.status, reply.body.code, reply.headers.get('retry-after')]).to.deep.equal([
        503,
        'SERVICE_UNAVAILABLE',
        '2',
      ]);
      const small = await postResults(
        service.url,
        tenant.token,
        '/results/httpget',
        ndjson(result(1, 1)),
      );
      expect(small.status).to.equal(200);
    } finally {
      await service.kill('SIGTERM');
    }
  });
});
