import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { queryRows } from '../../services/shared/clickhouse/query-rows.ts';
import { Random } from '../property/random.ts';
import { minutesAgo, ndjson } from '../support/ingest-tenant.ts';
import { addAgent, newTenant, newTenantToken } from '../support/tenant.ts';
import { waitUntil } from '../support/wait-until.ts';
import { faultSeed, recoveryMs } from './fault-settings.ts';
import { type IsolatedSystem, startIsolatedSystem } from './isolated-system.ts';
import { StepCounter } from './step-counter.ts';

const victims = ['ingest', 'clickhouse', 'postgres'] as const;
/** `make proof-faults` runs 200; `make test` kills each process once. */
const rounds = Number(process.env.INGEST_KILL_ROUNDS ?? victims.length);
const senders = 4;
/** A process is killed while one of so many requests is answered. */
const requestsPerRound = 40;

describe('results that are posted while a process is killed', function () {
  let system: IsolatedSystem;
  let token: string;
  let organisationId: number;
  const requests = new StepCounter();

  before(async function () {
    this.timeout(5 * recoveryMs);
    system = await startIsolatedSystem('ingest-killed', { INGEST_BATCH_MS: '50' }, ['ingest']);
    ({ organisationId } = await newTenant(system.database));
    token = await newTenantToken(system.database, organisationId, 'data', {
      scopes: ['results:write'],
    });
    await addAgent(system.database, organisationId, { agentId: 'box', unitId: 7 });
  });
  after(() => (system as IsolatedSystem | undefined)?.stop());

  it('are stored once if they were acknowledged', async function () {
    this.timeout(rounds * recoveryMs);
    const random = new Random(faultSeed);
    const dtime = minutesAgo(60);
    const acknowledged = new Set<number>();
    let next = 0;
    for (let round = 0; round < rounds; round++) {
      const victim = victims[round] ?? random.pick(victims);
      const stop = new AbortController();
      const sending = Array.from({ length: senders }, async () => {
        while (!stop.signal.aborted) {
          const number = next++;
          // Every request is sent until it is acknowledged, as a collector does.
          while (!(await isStored(number, dtime))) await sleep(50);
          acknowledged.add(number);
        }
      });
      await requests.after(random.between(1, requestsPerRound));
      await system.kill(victim);
      await system.start(victim);
      const before = acknowledged.size;
      await waitUntil(() => acknowledged.size > before + senders, recoveryMs);
      stop.abort();
      await Promise.all(sending);
    }
    const rows = await queryRows<{ number: number | string }>(
      system.clickhouse,
      'SELECT fetch_time AS number FROM test_httpget FINAL WHERE organisation_id = {id:UInt32}',
      { query_params: { id: organisationId } },
    );
    const stored = rows.map(({ number }) => Number(number));
    expect(stored).to.have.length(new Set(stored).size);
    expect([...acknowledged].filter((number) => !stored.includes(number))).to.deep.equal([]);
    expect(stored.length).to.equal(next);
    // eslint-disable-next-line no-console -- the result of a proof
    if (rounds > 3) console.log(`      ${rounds} rounds, ${stored.length} results`);
  });

  async function isStored(number: number, dtime: string): Promise<boolean> {
    const row = { unit_id: 7, dtime, target: `t${number}`, fetch_time: number };
    try {
      const sent = fetch(`${system.ingestUrl}/results/httpget`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${token}`,
          'content-type': 'application/x-ndjson',
          // Half of them rely on the natural key alone.
          ...(number % 2 === 0 ? { 'idempotency-key': String(number) } : {}),
        },
        body: ndjson(row),
      });
      requests.step();
      const response = await sent;
      await response.text();
      if (response.status === 200) return true;
      // While Postgres is down, tokens cannot be looked up.
      expect(response.status).to.be.oneOf([429, 503]);
    } catch (error) {
      // The service is not running.
      if (!(error instanceof TypeError)) throw error;
    }
    return false;
  }
});
