import { expect } from 'chai';
import { QuerySlots } from '../../../services/query/execution/query-slots.ts';
import { AppError } from '../../../services/shared/errors/app-error.ts';

const stays = new AbortController().signal;

describe('The places for running queries', () => {
  it('are counted for each organisation by itself', async () => {
    const slots = new QuerySlots(1, 0);
    await slots.acquire(1, stays);
    await slots.acquire(2, stays);
    const refused = await slots.acquire(1, stays).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(AppError);
    expect((refused as AppError).status).to.equal(429);
    expect((refused as AppError).headers).to.have.property('Retry-After', '1');
  });

  it('go to those who wait in the order they came', async () => {
    const slots = new QuerySlots(1, 60_000);
    const order: string[] = [];
    const release = await slots.acquire(1, stays);
    const second = slots.acquire(1, stays).then((next) => (order.push('second'), next));
    const third = slots.acquire(1, stays).then((next) => (order.push('third'), next));
    release();
    (await second)();
    (await third)();
    expect(order).to.deep.equal(['second', 'third']);
  });

  it('are given back once, even when released twice', async () => {
    const slots = new QuerySlots(2, 0);
    const release = await slots.acquire(1, stays);
    await slots.acquire(1, stays);
    release();
    release();
    await slots.acquire(1, stays);
    const refused = await slots.acquire(1, stays).catch((error: unknown) => error);
    expect(refused).to.be.instanceOf(AppError);
  });

  it('are not taken by a caller who left while waiting', async () => {
    const slots = new QuerySlots(1, 60_000);
    const release = await slots.acquire(1, stays);
    const caller = new AbortController();
    const waiting = slots.acquire(1, caller.signal).catch((error: unknown) => error);
    const left = new Error('left');
    caller.abort(left);
    expect(await waiting).to.equal(left);
    release();
    (await slots.acquire(1, stays))();
  });
});
