import { connect } from 'node:net';
import { expect } from 'chai';
import { until } from '../support/until.ts';
import type { ServiceName } from './contract.ts';
import { hostileBodies } from './hostile-bodies.ts';
import { figures } from './service-figures.ts';
import { authorization, type Received, send, type Sent } from './send.ts';
import { ownAgent, ownMetricRequest, setStage, type Stage, tokenOf, urlOf } from './stage.ts';

const megabyte = 1024 * 1024;
/** Several times the largest body there is; what grows with each request would be far beyond it. */
const memoryBound = 256 * megabyte;
/** How often all of it is sent; more in `make proof-security`. */
const rounds = Number(process.env.HOSTILE_ROUNDS ?? 1);

for (const service of ['query', 'metadata'] as const) {
  describe(`the ${service} service, sent what does harm`, function () {
    this.timeout(300_000 + rounds * 60_000);
    let stage: Stage;
    let before_: Awaited<ReturnType<typeof figures>>;

    before(async () => {
      stage = await setStage();
      before_ = await figures(opsUrl());
    });

    afterEach('it still answers', async () => {
      const { status } = await ask(goodRequest(service));
      expect(status).to.equal(200);
    });

    for (const { name, statuses, code, ...request } of hostileBodies(service)) {
      it(`answers ${name} with ${code}`, async () => {
        for (let round = 0; round < rounds; round++) {
          const answer = await ask({ ...target(service), ...request });
          expect(statuses, answer.text.slice(0, 300)).to.include(answer.status);
          expect(JSON.parse(answer.text)).to.include({ code });
          expect(answer.text.length, 'length of the answer').to.be.below(100_000);
        }
      });
    }

    it('takes a byte order mark for what it is', async () => {
      const { body, ...request } = goodRequest(service);
      expect((await ask({ ...request, body: `\ufeff${String(body)}` })).status).to.equal(200);
    });

    it('refuses an address and headers that are too long', async () => {
      const long = 'x'.repeat(20_000);
      expect((await ask({ method: 'GET', path: `/${long}` })).status).to.equal(431);
      const headers = { 'x-long': long };
      expect((await ask({ method: 'GET', path: '/metrics', headers })).status).to.equal(431);
    });

    it('answers two thousand query parameters, and two thousand headers, with a 4xx', async () => {
      const many = Array.from({ length: 2_000 }, (_, i) => i.toString(36));
      const path = `/metric_data?${many.map((name) => `${name}=`).join('&')}`;
      const answer = await ask({ method: 'POST', path });
      expect(answer.status).to.be.within(400, 499);
      expect(answer.text.length).to.be.below(20_000);
      const headers = Object.fromEntries(many.map((name) => [`x-${name}`, '1']));
      const { status } = await ask({ method: 'GET', path: '/nowhere', headers });
      expect(status).to.be.within(400, 499);
    });

    it('waits for a body that comes slowly without keeping others waiting', async () => {
      const stalled = Array.from({ length: 50 }, () => stalledRequest());
      for (let i = 0; i < 10; i++) expect((await ask(goodRequest(service))).status).to.equal(200);
      for (const socket of stalled) socket.destroy();
    });

    it('is the same process as before, and has not grown by more than some bodies', async () => {
      await until(async () => {
        const now = await figures(opsUrl());
        expect(now.startedAt).to.equal(before_.startedAt);
        return now.residentBytes < before_.residentBytes + memoryBound;
      });
    });

    function ask({ headers, ...request }: Sent): Promise<Received> {
      const token = authorization(service, tokenOf(stage.owner, service));
      const url = urlOf(stage.stack, service);
      return send(url, { ...request, headers: { authorization: token, ...headers } });
    }

    function opsUrl(): string {
      return service === 'query' ? stage.stack.queryOpsUrl : stage.stack.metadataOpsUrl;
    }

    /** Announces a body, sends some of it, and no more. */
    function stalledRequest() {
      const { hostname, port } = new URL(urlOf(stage.stack, service));
      const { method, path } = target(service);
      const socket = connect(Number(port), hostname);
      socket.on('error', () => undefined);
      socket.write(
        `${method} ${path} HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n` +
          `Authorization: ${authorization(service, tokenOf(stage.owner, service))}\r\n` +
          'Transfer-Encoding: chunked\r\n\r\n5\r\n{"a":\r\n',
      );
      return socket;
    }
  });
}

const json = { 'content-type': 'application/json' };

function target(service: ServiceName): { method: string; path: string } {
  return service === 'query'
    ? { method: 'POST', path: '/metric_data' }
    : { method: 'PUT', path: '/metadata' };
}

function goodRequest(service: ServiceName): Sent {
  const change = { agent: { unit_id: ownAgent.unitId }, metadata: { timezone: 'Europe/Paris' } };
  const body = JSON.stringify(service === 'query' ? ownMetricRequest : change);
  return { ...target(service), headers: json, body };
}
