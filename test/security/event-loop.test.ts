import { expect } from 'chai';
import { DataApi } from '../support/data-api.ts';
import { metadataClient } from '../support/metadata-client.ts';
import { ScrapedMetrics } from '../support/scraped-metrics.ts';
import { type ServiceProcess, startServiceProcess } from '../support/service-process.ts';
import { waitUntil } from '../support/wait-until.ts';
import { operations, type ServiceName } from './contract.ts';
import { createFixture, type Fixture, ownAgent, tokenOf } from './security-fixture.ts';
import { authorization, send } from './send.ts';
import { type NamedRequest, worstCaseRequests } from './worst-case-requests.ts';

const maxBlockedMs = 50;

/** A request that blocks the event loop does so every time, so the best of several rounds counts. */
const maxRounds = 10;

/** Many names that an unknown one is compared with, as long as they may be. */
const storedKeys = Array.from({ length: 190 }, (_, i) => `key-${i}-`.padEnd(64, 'abcdefgh'));

describe('the event loop, under the worst requests of the allowed size', function () {
  this.timeout(600_000);
  let fixture: Fixture;
  let services: Readonly<Record<ServiceName, ServiceProcess>>;

  before(async () => {
    fixture = await createFixture();
    const { stack, owner } = fixture;
    const custom = Object.fromEntries(storedKeys.map((key) => [key, 'a']));
    const { status } = await metadataClient(stack.metadataUrl, owner.metadataToken).put({
      agent: { unit_id: ownAgent.unitId },
      metadata: { custom },
    });
    expect(status).to.equal(200);
    services = {
      query: await startServiceProcess('query', {}),
      metadata: await startServiceProcess('metadata', {}),
    };
    const api = new DataApi(services.query.url, owner.dataToken);
    await waitUntil(async () => {
      const listed = (await api.get('/splits')).body.data as { id: string }[];
      return storedKeys.every((key) => listed.some(({ id }) => id === key));
    }, 60_000);
  });
  after(async () => {
    await services.query.kill('SIGTERM');
    await services.metadata.kill('SIGTERM');
  });

  for (const operation of operations) {
    const { service, method, path } = operation;
    it(`is blocked by ${method} ${path} of the ${service} service for at most 50 ms`, async () => {
      const requests = worstCaseRequests(operation, storedKeys);
      if ((await costOf(service, requests)).delayMs <= maxBlockedMs) return;
      for (const request of requests) {
        const best = await bestBlockedMs(service, request);
        expect(best, `blocked by ${request.name}`).to.be.at.most(maxBlockedMs);
      }
    });
  }

  // On a busy machine a process waits for the processor, which delays its event loop too. But it cannot
  // have blocked its event loop for longer than it has used the processor.
  async function bestBlockedMs(service: ServiceName, request: NamedRequest): Promise<number> {
    let best = Infinity;
    for (let round = 0; round < maxRounds && best > maxBlockedMs; round++) {
      const { delayMs, processorMs } = await costOf(service, [request]);
      best = Math.min(best, delayMs / slowdown(), processorMs);
    }
    return best;
  }

  /** Sends the requests one after another. */
  async function costOf(service: ServiceName, requests: readonly NamedRequest[]): Promise<Cost> {
    const { url, opsUrl } = services[service];
    const token = authorization(service, tokenOf(fixture.owner, service));
    const before = await scraped(opsUrl);
    for (const { headers, ...request } of requests) {
      const sent = { ...request, headers: { ...headers, authorization: token } };
      const { status } = await send(url, sent);
      // Otherwise the request was not worked on.
      expect(status, request.name).not.to.equal(429);
    }
    const after = await scraped(opsUrl);
    const seconds = 'process_cpu_seconds_total';
    return {
      delayMs: after.value('nodejs_eventloop_lag_max_seconds') * 1000 - measuringIntervalMs,
      processorMs: (after.value(seconds) - before.value(seconds)) * 1000,
    };
  }
});

interface Cost {
  /** The longest delay of the event loop. */
  readonly delayMs: number;
  readonly processorMs: number;
}

/** How many times longer than on an idle machine a computation takes now. */
function slowdown(): number {
  const startedMs = performance.now();
  const before = process.cpuUsage();
  for (;;) {
    const { user, system } = process.cpuUsage(before);
    const usedMs = (user + system) / 1000;
    if (usedMs >= 20) return Math.max(1, (performance.now() - startedMs) / usedMs);
  }
}

/** The delay is that since the last call. */
async function scraped(opsUrl: string): Promise<ScrapedMetrics> {
  // Node measures every 10 ms, and again from the second interval after a scrape.
  await new Promise((resolve) => setTimeout(resolve, 50));
  return ScrapedMetrics.from(opsUrl);
}

const measuringIntervalMs = 10;
