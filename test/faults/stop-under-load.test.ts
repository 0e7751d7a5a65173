import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Agent, request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { type RunningService, startService } from '../../deploy/local/start-service.ts';
import { addManyDownloads } from '../support/downloads.ts';
import { freePorts } from '../support/free-ports.ts';
import { localStack, type LocalStack } from '../support/local-stack.ts';
import { metadataTenant } from '../support/metadata-tenant.ts';
import type { Tenant } from '../support/tenant.ts';
import { isProof } from './fault-settings.ts';

const callers = 40;
const stops = isProof ? 10 : 1;

for (const name of ['query', 'metadata'] as const) {
  describe(`SIGTERM to the ${name} service under load`, function () {
    this.timeout(300_000);
    let stack: LocalStack;
    let tenant: Tenant;

    before(async () => {
      stack = await localStack();
      ({ tenant } = await metadataTenant(3));
      await addManyDownloads(stack.clickhouse, tenant.organisationId, 2_000);
    });

    for (const keepAlive of [true, false]) {
      const how = keepAlive ? 'kept alive' : 'new for each';
      it(`leaves no request it has taken unanswered, connections ${how}`, async () => {
        for (let stop = 1; stop <= stops; stop++) await stopOnce(keepAlive, stop);
      });
    }

    async function stopOnce(keepAlive: boolean, stop: number): Promise<void> {
      const [port, opsPort] = (await freePorts(2)) as [number, number];
      const logFile = join(stack.stateDir, `stop-${name}-${keepAlive}-${stop}.log`);
      const prefix = name.toUpperCase();
      const env = { [`${prefix}_PORT`]: String(port), [`${prefix}_OPS_PORT`]: String(opsPort) };
      const service = await startService({
        name,
        env: { PATH: process.env.PATH, ...stack.env, ...env, ...talkative },
        opsPort,
        logFile,
      });
      const agent = new Agent({ keepAlive, maxSockets: callers });
      const sent = await loadUntilRefused(service, port, agent);
      agent.destroy();
      await service.ended;

      const answered = sent.filter(({ status }) => status !== undefined);
      expect(answered.length).to.be.greaterThan(callers);
      expect(new Set(answered.map(({ status }) => status))).to.deep.equal(new Set([200]));
      // One that broke off was never taken: the log, which has a line for each that is, does not know it.
      const log = readFileSync(logFile, 'utf8');
      const lost = sent.filter(({ id, status }) => status === undefined && log.includes(id));
      expect(lost).to.deep.equal([]);
      expect(answered.filter(({ id }) => !log.includes(id))).to.deep.equal([]);
      expect(log).to.include('"message":"stopped"');
    }

    interface Sent {
      readonly id: string;
      /** Undefined when no whole answer came. */
      readonly status: number | undefined;
    }

    async function loadUntilRefused(
      service: RunningService,
      port: number,
      agent: Agent,
    ): Promise<readonly Sent[]> {
      const sent: Sent[] = [];
      let isStopping = false;
      const callerLoop = async () => {
        for (;;) {
          const id = randomUUID();
          const status = await send(port, agent, id);
          sent.push({ id, status });
          if (status === undefined && isStopping) return;
        }
      };
      const all = Promise.all(Array.from({ length: callers }, callerLoop));
      // In the middle of the work, however fast the machine is.
      while (sent.length < callers * 3) await sleep(10);
      isStopping = true;
      process.kill(service.pid, 'SIGTERM');
      await all;
      return sent;
    }

    function send(port: number, agent: Agent, id: string): Promise<number | undefined> {
      const [method, path, body] = name === 'query' ? question(id) : change(id);
      return new Promise((resolve) => {
        const request = httpRequest(
          {
            ...{ host: '127.0.0.1', port, method, path, agent },
            headers: {
              'content-type': 'application/json',
              'x-request-id': id,
              authorization: name === 'query' ? tenant.dataToken : `Bearer ${tenant.metadataToken}`,
            },
          },
          (response) => {
            response.resume();
            response.once('close', () =>
              resolve(response.complete ? response.statusCode : undefined),
            );
          },
        );
        request.once('error', () => resolve(undefined));
        request.end(body);
      });
    }
  });
}

/** Names each request as it comes, not only when its answer has ended. */
const talkative = { LOG_LEVEL: 'debug', MAX_RUNNING_QUERIES: '100' };

type Call = readonly [method: string, path: string, body?: string];

/** A short one or a stream of 2,000 rows. */
function question(id: string): Call {
  return id < '8' ? ['GET', '/splits'] : ['POST', '/metric_data', JSON.stringify(allRows)];
}

const allRows = {
  metric: 'httpget',
  chartType: 'raw',
  normalised: false,
  prefilter: false,
  time: { from: '2026-01-01 00:00', to: '2026-01-02 00:00' },
};

function change(id: string): Call {
  const body = {
    agent: { unit_id: 1 + (id.charCodeAt(0) % 3) },
    metadata: { custom: { note: id } },
  };
  return ['PUT', '/metadata', JSON.stringify(body)];
}
