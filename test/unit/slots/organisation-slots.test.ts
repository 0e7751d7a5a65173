import { expect } from 'chai';
import { OrganisationSlots } from '../../../services/shared/slots/organisation-slots.ts';
import { AppError } from '../../../services/shared/errors/app-error.ts';

const connected = new AbortController().signal;

describe('slots of an organisation', () => {
  it('are counted per organisation', async () => {
    const slots = new OrganisationSlots('running queries', 1, 0);
    await slots.acquire(1, connected);
    await slots.acquire(2, connected);
    const rejected = await slots.acquire(1, connected).catch((error: unknown) => error);
    expect(rejected).to.be.instanceOf(AppError);
    expect((rejected as AppError).status).to.equal(429);
    expect((rejected as AppError).headers).to.have.property('Retry-After', '1');
  });

  it('are given to waiting queries in the order of arrival', async () => {
    const slots = new OrganisationSlots('running queries', 1, 60_000);
    const order: string[] = [];
    const release = await slots.acquire(1, connected);
    const second = slots.acquire(1, connected).then((next) => (order.push('second'), next));
    const third = slots.acquire(1, connected).then((next) => (order.push('third'), next));
    release();
    (await second)();
    (await third)();
    expect(order).to.deep.equal(['second', 'third']);
  });

  it('are released once, even when released twice', async () => {
    const slots = new OrganisationSlots('running queries', 2, 0);
    const release = await slots.acquire(1, connected);
    await slots.acquire(1, connected);
    release();
    release();
    await slots.acquire(1, connected);
    const rejected = await slots.acquire(1, connected).catch((error: unknown) => error);
    expect(rejected).to.be.instanceOf(AppError);
  });

  it('are not taken by a client that disconnected while waiting', async () => {
    const slots = new OrganisationSlots('running queries', 1, 60_000);
    const release = await slots.acquire(1, connected);
    const client = new AbortController();
    const waiting = slots.acquire(1, client.signal).catch((error: unknown) => error);
    const disconnected = new Error('disconnected');
    client.abort(disconnected);
    expect(await waiting).to.equal(disconnected);
    release();
    (await slots.acquire(1, connected))();
  });

  it('are taken several at once by heavy work, which leaves fewer to the organisation and none less to others', async () => {
    const slots = new OrganisationSlots('running queries', 4, 0);
    const release = await slots.acquire(1, connected, 3);
    await slots.acquire(1, connected);
    const rejected = (await slots
      .acquire(1, connected, 3)
      .catch((error: unknown) => error)) as AppError;
    expect(rejected.status).to.equal(429);
    expect(rejected.publicMessage).to.equal(
      'Your organisation already has 4 running queries, the maximum. This one counts as 3: a shorter range counts less. Please retry shortly.',
    );
    await slots.acquire(2, connected, 4);
    expect(slots.counts).to.deep.equal({ running: 3, waiting: 0, refused: 1 });
    release();
    await slots.acquire(1, connected, 3);
  });

  it('are kept for heavy work that waits: light work does not overtake it', async () => {
    const slots = new OrganisationSlots('running queries', 4, 60_000);
    const order: string[] = [];
    const add = async (name: string, weight: number, signal = connected) => {
      const release = await slots.acquire(1, signal, weight);
      order.push(name);
      return release;
    };
    const first = await add('first', 3);
    const heavy = add('heavy', 4);
    const light = add('light', 1);
    expect(order).to.deep.equal(['first']);
    // Of another organisation.
    (await slots.acquire(2, connected))();
    first();
    const releaseHeavy = await heavy;
    expect(order).to.deep.equal(['first', 'heavy']);
    releaseHeavy();
    (await light)();
    expect(slots.counts).to.deep.equal({ running: 0, waiting: 0, refused: 0 });
  });

  it('are given to light work when the heavy work before it leaves the queue', async () => {
    const slots = new OrganisationSlots('running queries', 4, 60_000);
    await slots.acquire(1, connected, 3);
    const client = new AbortController();
    const heavy = slots.acquire(1, client.signal, 2).catch((error: unknown) => error);
    const light = slots.acquire(1, connected);
    client.abort(new Error('disconnected'));
    await heavy;
    await light;
    expect(slots.counts).to.deep.equal({ running: 2, waiting: 0, refused: 0 });
  });
});
