import { connect } from 'node:net';
import { expect } from 'chai';
import { waitUntil } from '../support/wait-until.ts';
import { type ServiceName, serviceNames } from './contract.ts';
import { lmapReport } from './sample-request.ts';
import { hostileBodies } from './hostile-bodies.ts';
import { ScrapedMetrics } from '../support/scraped-metrics.ts';
import { authorization, type RawResponse, send, type RawRequest } from './send.ts';
import {
  ownAgent,
  ownMetricRequest,
  createFixture,
  type Fixture,
  opsUrlOf,
  tokenOf,
  urlOf,
} from './security-fixture.ts';

const megabyte = 1024 * 1024;
/** Several times the largest body. A leak per request would exceed it by far. */
const maxGrowthBytes = 256 * megabyte;
/** How often each body is sent. `make proof-security` sends more. */
const rounds = Number(process.env.HOSTILE_ROUNDS ?? 1);

for (const service of serviceNames) {
  describe(`the ${service} service, under hostile requests`, function () {
    this.timeout(300_000 + rounds * 60_000);
    let fixture: Fixture;
    let metricsBefore: ScrapedMetrics;

    before(async () => {
      fixture = await createFixture();
      metricsBefore = await ScrapedMetrics.from(opsUrl());
    });

    afterEach('still responds', async () => {
      const { status } = await sendWithToken(goodRequest(service));
      expect(status).to.equal(200);
    });

    for (const { name, statuses, code, ...request } of hostileBodies(service)) {
      it(`responds to ${name} with ${code}`, async () => {
        for (let round = 0; round < rounds; round++) {
          const response = await sendWithToken({ ...target(service), ...request });
          expect(statuses, response.text.slice(0, 300)).to.include(response.status);
          expect(JSON.parse(response.text)).to.include({ code });
          expect(response.text.length, 'response length').to.be.below(100_000);
        }
      });
    }

    it('ignores a byte order mark', async () => {
      const { body, ...request } = goodRequest(service);
      expect((await sendWithToken({ ...request, body: `\ufeff${String(body)}` })).status).to.equal(
        200,
      );
    });

    it('rejects a URL and headers that are too long', async () => {
      const long = 'x'.repeat(70_000);
      for (const request of [
        { path: `/${long}` },
        { path: '/metrics', headers: { 'x-long': long } },
      ]) {
        const { status, text } = await sendWithToken({ method: 'GET', ...request });
        expect(status).to.equal(431);
        expect(JSON.parse(text)).to.deep.equal({
          code: 'BAD_REQUEST',
          message: 'The URL and the headers are larger than 65536 bytes',
        });
      }
    });

    it('responds with 4xx to 2,000 query parameters and to 2,000 headers', async () => {
      const many = Array.from({ length: 2_000 }, (_, i) => i.toString(36));
      const path = `/metric_data?${many.map((name) => `${name}=`).join('&')}`;
      const response = await sendWithToken({ method: 'POST', path });
      expect(response.status).to.be.within(400, 499);
      expect(response.text.length).to.be.below(20_000);
      const headers = Object.fromEntries(many.map((name) => [`x-${name}`, '1']));
      const { status } = await sendWithToken({ method: 'GET', path: '/nowhere', headers });
      expect(status).to.be.within(400, 499);
    });

    it('serves other requests while slow bodies arrive', async () => {
      const stalled = Array.from({ length: 50 }, () => stalledRequest());
      for (let i = 0; i < 10; i++)
        expect((await sendWithToken(goodRequest(service))).status).to.equal(200);
      for (const socket of stalled) socket.destroy();
    });

    it('has neither restarted nor leaked memory', async () => {
      await waitUntil(async () => {
        const now = await ScrapedMetrics.from(opsUrl());
        const [startedAt, residentBytes] = [
          'process_start_time_seconds',
          'process_resident_memory_bytes',
        ].map((name) => ({ before: metricsBefore.value(name), now: now.value(name) }));
        expect(startedAt!.now).to.equal(startedAt!.before);
        return residentBytes!.now < residentBytes!.before + maxGrowthBytes;
      });
    });

    function sendWithToken({ headers, ...request }: RawRequest): Promise<RawResponse> {
      const token = authorization(service, tokenOf(fixture.owner, service));
      const url = urlOf(fixture.stack, service);
      return send(url, { ...request, headers: { authorization: token, ...headers } });
    }

    function opsUrl(): string {
      return opsUrlOf(fixture.stack, service);
    }

    /** Sends the start of a chunked body and then nothing. */
    function stalledRequest() {
      const { hostname, port } = new URL(urlOf(fixture.stack, service));
      const { method, path } = target(service);
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.write(
        `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
          `Authorization: ${authorization(service, tokenOf(fixture.owner, service))}\r\n` +
          'Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n',
      );
      return socket;
    }
  });
}

const json = { 'content-type': 'application/json' };

function target(service: ServiceName): { method: string; path: string } {
  const targets: Readonly<Record<ServiceName, { method: string; path: string }>> = {
    query: { method: 'POST', path: '/metric_data' },
    metadata: { method: 'PUT', path: '/metadata' },
    ingest: { method: 'POST', path: '/lmap/reports' },
  };
  return targets[service];
}

function goodRequest(service: ServiceName): RawRequest {
  const bodies: Readonly<Record<ServiceName, object>> = {
    query: ownMetricRequest,
    metadata: { agent: { unit_id: ownAgent.unitId }, metadata: { timezone: 'Europe/Paris' } },
    ingest: lmapReport(ownAgent.agentId),
  };
  return { ...target(service), headers: json, body: JSON.stringify(bodies[service]) };
}
