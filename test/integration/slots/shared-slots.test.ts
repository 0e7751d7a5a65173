import { expect } from 'chai';
import { AppError } from '../../../services/shared/errors/app-error.ts';
import { createLogger } from '../../../services/shared/logging/create-logger.ts';
import { AdvisoryLocks } from '../../../services/shared/postgres/advisory-locks.ts';
import type { Database } from '../../../services/shared/postgres/connect-postgres.ts';
import type { ReleaseSlot } from '../../../services/shared/slots/organisation-slots.ts';
import { SharedSlots } from '../../../services/shared/slots/shared-slots.ts';
import { freePort } from '../../support/free-port.ts';
import { emptyIsolatedStores, type IsolatedStores } from '../../support/isolated-stores.ts';
import { waitUntil } from '../../support/wait-until.ts';

const connected = new AbortController().signal;
const longMs = 60_000;
const logger = createLogger('slots-test', 'error');

describe('slots over all replicas', () => {
  let stores: IsolatedStores;
  let database: Database;
  let opened: AdvisoryLocks[];

  before(async () => {
    stores = await emptyIsolatedStores();
    ({ database } = stores);
  });
  after(() => stores.close());
  beforeEach(() => (opened = []));
  // Closing the connections releases all locks.
  afterEach(async () => {
    for (const locks of opened) locks.close();
    await waitUntil(async () => (await heldLocks()) === 0);
  });

  it('are limited per organisation', async () => {
    const limits = { perOrganisation: 2, total: 10 };
    const [first, second] = [replica(limits), replica(limits)];
    const release = await first.acquire(7, connected);
    await second.acquire(7, connected);
    for (const slots of [first, second]) {
      const { status, headers, publicMessage } = await refusal(slots, 7);
      expect(status).to.equal(429);
      expect(headers).to.have.property('Retry-After', '1');
      expect(publicMessage).to.include('Your organisation already has 2 running queries');
      await slots.acquire(8, connected).then((done) => done());
    }
    release();
    await waitUntil(() => isFree(second, 7));
  });

  it('are limited for all organisations together', async () => {
    const limits = { perOrganisation: 2, total: 3 };
    const [first, second] = [replica(limits), replica(limits)];
    const release = await first.acquire(1, connected);
    await second.acquire(2, connected);
    await second.acquire(3, connected);
    const { status, publicMessage } = await refusal(first, 4);
    expect(status).to.equal(429);
    expect(publicMessage).to.include('The service already has 3 running queries');
    release();
    await waitUntil(() => isFree(second, 4));
  });

  it('are taken several at once by heavy work, on any replica', async () => {
    const limits = { perOrganisation: 4, total: 6 };
    const [first, second] = [replica(limits), replica(limits)];
    const release = await first.acquire(7, connected, 3);
    expect(await heldLocks()).to.equal(6);
    const refused = await second.acquire(7, connected, 2).catch((error: unknown) => error);
    expect((refused as AppError).publicMessage).to.include('This one counts as 2');
    // What the refused attempt had taken is free again.
    (await second.acquire(7, connected))();
    (await second.acquire(8, connected, 3))();
    await waitUntil(async () => (await heldLocks()) === 6);
    release();
    await waitUntil(async () => {
      const heavy = await second.acquire(7, connected, 4).catch(() => undefined);
      heavy?.();
      return heavy !== undefined;
    });
  });

  it('are never used more often than allowed, and all of them are released', async () => {
    const limits = { perOrganisation: 2, total: 5, maxWaitMs: longMs };
    const replicas = [replica(limits), replica(limits)];
    const running: number[] = [];
    const organisations = Array.from({ length: 80 }, (_, i) => i % 4);
    await Promise.all(
      organisations.map(async (organisation, i) => {
        const { signal } = new AbortController();
        const release = await replicas[i % 2]!.acquire(organisation + 1, signal);
        running.push(organisation);
        expect(running.length).to.be.at.most(5);
        expect(running.filter((one) => one === organisation).length).to.be.at.most(2);
        await new Promise((resolve) => setTimeout(resolve, 2));
        running.splice(running.indexOf(organisation), 1);
        release();
        release();
      }),
    );
    for (const { counts } of replicas) {
      expect(counts).to.deep.equal({ running: 0, waiting: 0, refused: 0 });
    }
    await waitUntil(async () => (await heldLocks()) === 0);
  });

  it('are given to a query that waits in another replica', async () => {
    const limits = { perOrganisation: 1, total: 10, maxWaitMs: longMs };
    const [first, second] = [replica(limits), replica(limits)];
    const release = await first.acquire(7, connected);
    const waiting = second.acquire(7, connected);
    await waitUntil(() => second.counts.waiting === 1);
    expect(second.counts.running).to.equal(0);
    release();
    await waiting;
    expect(second.counts).to.deep.equal({ running: 1, waiting: 0, refused: 0 });
  });

  it('are not taken by a client that disconnected while waiting', async () => {
    const limits = { perOrganisation: 1, total: 10, maxWaitMs: longMs };
    const [first, second] = [replica(limits), replica(limits)];
    const release = await first.acquire(7, connected);
    const client = new AbortController();
    const waiting = second.acquire(7, client.signal).catch((error: unknown) => error);
    await waitUntil(() => second.counts.waiting === 1);
    const disconnected = new Error('disconnected');
    client.abort(disconnected);
    expect(await waiting).to.equal(disconnected);
    expect(second.counts).to.deep.equal({ running: 0, waiting: 0, refused: 0 });
    release();
    await waitUntil(async () => (await heldLocks()) === 0);
  });

  it('of a killed process are free again, and the others are still limited', async () => {
    const limits = { perOrganisation: 1, total: 10 };
    const [first, second] = [replica(limits, 'killed'), replica(limits)];
    const release = await first.acquire(7, connected);
    expect(await isFree(second, 7)).to.equal(false);
    await database.raw(
      'select pg_terminate_backend(pid) from pg_stat_activity where application_name = ?',
      ['killed'],
    );
    let taken: ReleaseSlot | undefined;
    await waitUntil(async () => {
      taken = await second.acquire(7, connected).catch(() => undefined);
      return taken !== undefined;
    });
    // Releases nothing: the lock is now that of the second replica.
    release();
    await waitUntil(async () => !(await isFree(first, 7)));
    taken?.();
    await waitUntil(() => isFree(first, 7));
  });

  it('are limited per process while Postgres is unreachable', async () => {
    const url = `postgres://nobody@127.0.0.1:${await freePort()}/none`;
    const slots = replica({ perOrganisation: 2, total: 10 }, 'unreachable', url);
    await slots.acquire(7, connected);
    const release = await slots.acquire(7, connected);
    expect((await refusal(slots, 7)).status).to.equal(429);
    release();
    await slots.acquire(7, connected);
  });

  interface TestLimits {
    readonly perOrganisation: number;
    readonly total: number;
    /** Default 0: refuses at once. */
    readonly maxWaitMs?: number;
  }

  function replica(
    { perOrganisation, total, maxWaitMs = 0 }: TestLimits,
    name = 'slots-test',
    url = stores.env.DATABASE_URL!,
  ): SharedSlots {
    const locks = new AdvisoryLocks(url, name);
    opened.push(locks);
    const limits = { work: 'running queries', perOrganisation, total, maxWaitMs };
    return new SharedSlots(limits, locks, logger);
  }

  async function refusal(slots: SharedSlots, organisationId: number): Promise<AppError> {
    const error = await slots.acquire(organisationId, connected).catch((thrown: unknown) => thrown);
    expect(error).to.be.instanceOf(AppError);
    return error as AppError;
  }

  async function isFree(slots: SharedSlots, organisationId: number): Promise<boolean> {
    const release = await slots.acquire(organisationId, connected).catch(() => undefined);
    release?.();
    return release !== undefined;
  }

  async function heldLocks(): Promise<number> {
    const { rows } = await database.raw<{ rows: [{ count: number }] }>(
      `select count(*) from pg_locks where locktype = 'advisory'
       and database = (select oid from pg_database where datname = current_database())`,
    );
    return rows[0].count;
  }
});
