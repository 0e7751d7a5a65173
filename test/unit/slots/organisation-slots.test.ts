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
});
