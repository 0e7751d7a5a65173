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

const clients = 40;
const stops = isProof ? 10 : 1;

for (const name of ['query', 'metadata'] as const) {
  describe(`SIGTERM to the ${name} service under load`, () => {
    let stack: LocalStack;
    let tenant: Tenant;

    before(async () => {
      stack = await localStack();
      ({ tenant } = await metadataTenant(3));
      await addManyDownloads(stack.clickhouse, tenant.organisationId, 2_000);
    });

    for (const keepAlive of [true, false]) {
      const how = keepAlive ? 'keep-alive connections' : 'one connection per request';
      it(`responds to every accepted request (${how})`, async () => {
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
        env: { PATH: process.env.PATH, ...stack.env, ...env, ...debugSettings },
        opsPort,
        logFile,
      });
      const agent = new Agent({ keepAlive, maxSockets: clients });
      const sent = await sendUntilRefused(service, port, agent);
      agent.destroy();
      await service.ended;

      const completed = sent.filter(({ status }) => status !== undefined);
      expect(completed.length).to.be.greaterThan(clients);
      expect(new Set(completed.map(({ status }) => status))).to.deep.equal(new Set([200]));
      // The log has a line for each accepted request, so it must not mention a request that failed.
      const log = readFileSync(logFile, 'utf8');
      const lost = sent.filter(({ id, status }) => status === undefined && log.includes(id));
      expect(lost).to.deep.equal([]);
      expect(completed.filter(({ id }) => !log.includes(id))).to.deep.equal([]);
      expect(log).to.include('"message":"stopped"');
    }

    interface Sent {
      readonly id: string;
      /** Undefined without a complete response. */
      readonly status: number | undefined;
    }

    async function sendUntilRefused(
      service: RunningService,
      port: number,
      agent: Agent,
    ): Promise<readonly Sent[]> {
      const sent: Sent[] = [];
      let isStopping = false;
      const clientLoop = async () => {
        for (;;) {
          const id = randomUUID();
          const status = await send(port, agent, id);
          sent.push({ id, status });
          if (status === undefined && isStopping) return;
        }
      };
      const all = Promise.all(Array.from({ length: clients }, clientLoop));
      // SIGTERM comes while all clients send, however fast the machine is.
      while (sent.length < clients * 3) await sleep(10);
      isStopping = true;
      process.kill(service.pid, 'SIGTERM');
      await all;
      return sent;
    }

    function send(port: number, agent: Agent, id: string): Promise<number | undefined> {
      const [method, path, body] = name === 'query' ? query(id) : change(id);
      return new Promise((resolve) => {
        const request = httpRequest(
          {
            host: '127.0.0.1',
            port,
            method,
            path,
            agent,
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

/** The debug log has each request at its start, not only at its end. */
const debugSettings = {
  LOG_LEVEL: 'debug',
  MAX_RUNNING_QUERIES: '100',
  MAX_RUNNING_QUERIES_TOTAL: '200',
};

type Call = readonly [method: string, path: string, body?: string];

/** A short request, or a stream of 2,000 rows. */
function query(id: string): Call {
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
