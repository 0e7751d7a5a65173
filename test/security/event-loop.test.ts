import { expect } from 'chai';
import { DataApi } from '../support/data-api.ts';
import { metadataClient } from '../support/metadata-client.ts';
import { waitUntil } from '../support/wait-until.ts';
import { operations, type ServiceName } from './contract.ts';
import { type ProbedService, startProbedService } from './probed-service.ts';
import { createFixture, type Fixture, ownAgent, tokenOf } from './security-fixture.ts';
import { authorization, send } from './send.ts';
import { type NamedRequest, worstCaseRequests } from './worst-case-requests.ts';

const maxBlockedMs = 50;

/** The reference computation needs less CPU time on an idle core of the machine of docs/proof.md. */
const idleReferenceMs = 10;

/**
 * A request that blocks the event loop does so every time. A garbage collection or code that is not compiled
 * yet does not: the best of several attempts counts.
 */
const maxAttempts = 20;

/** How often each request is measured. `make proof-security` measures more often. */
const rounds = Number(process.env.EVENT_LOOP_ROUNDS ?? 1);

/** Many names that an unknown one is compared with, as long as they may be. */
const storedKeys = Array.from({ length: 190 }, (_, i) => `key-${i}-`.padEnd(64, 'abcdefgh'));

describe('the event loop, under the worst requests of the allowed size', function () {
  this.timeout(300_000 * (1 + rounds));
  let fixture: Fixture;
  let services: Readonly<Record<ServiceName, ProbedService>>;

  before(async () => {
    fixture = await createFixture();
    const { stack, owner } = fixture;
    const custom = Object.fromEntries(storedKeys.map((key) => [key, 'a']));
    const { status } = await metadataClient(stack.metadataUrl, owner.metadataToken).put({
      agent: { unit_id: ownAgent.unitId },
      metadata: { custom },
    });
    expect(status).to.equal(200);
    const [query, metadata, ingest] = await Promise.all([
      startProbedService('query'),
      startProbedService('metadata'),
      startProbedService('ingest'),
    ]);
    services = { query, metadata, ingest };
    const api = new DataApi(services.query.url, owner.dataToken);
    await waitUntil(async () => {
      const listed = (await api.get('/splits')).body.data as { id: string }[];
      return storedKeys.every((key) => listed.some(({ id }) => id === key));
    });
  });
  after(async () => {
    await Promise.all(Object.values(services).map((service) => service.kill('SIGTERM')));
  });

  for (const operation of operations) {
    const { service, method, path } = operation;
    it(`is blocked by ${method} ${path} of the ${service} service for at most ${maxBlockedMs} ms`, async () => {
      const requests = worstCaseRequests(operation, storedKeys);
      await services[service].longestBlockMs();
      for (let round = 0; round < rounds; round++) {
        for (const request of requests) await expectShortBlock(service, request);
      }
    });
  }

  // On a busy machine the same work needs more CPU time, because other processes replace its data in the
  // caches. The reference computation needs more too, and the best of both are compared.
  async function expectShortBlock(service: ServiceName, request: NamedRequest): Promise<void> {
    let best = Infinity;
    let reference = Infinity;
    for (let attempt = 0; attempt < maxAttempts; attempt++) {
      best = Math.min(best, await blockMs(service, request));
      if (best <= maxBlockedMs) return;
      reference = Math.min(reference, await services[service].referenceMs());
    }
    expect(best, `CPU time in milliseconds for ${request.name}`).to.be.at.most(
      maxBlockedMs * Math.max(1, reference / idleReferenceMs),
    );
  }

  /** The longest block since the last call, which has ended before this request is sent. */
  async function blockMs(
    service: ServiceName,
    { headers, ...request }: NamedRequest,
  ): Promise<number> {
    const probed = services[service];
    const token = authorization(service, tokenOf(fixture.owner, service));
    const sent = { ...request, headers: { ...headers, authorization: token } };
    const { status } = await send(probed.url, sent);
    // Otherwise the request was not worked on.
    expect(status, request.name).not.to.equal(429);
    return probed.longestBlockMs();
  }
});
