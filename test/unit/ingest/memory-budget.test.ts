import { expect } from 'chai';
import { MemoryBudget, type Reservation } from '../../../services/ingest/body/memory-budget.ts';
import type { AppError } from '../../../services/shared/errors/app-error.ts';

const kib = 1024;
const small = 192 * kib;
/** Seven eighths are for large bodies: 3,500 KiB per organisation. */
const max = 8_000 * kib;
const connected = new AbortController().signal;

describe('the memory of requests with results', () => {
  /** Whether the reservation has grown, after all other work. */
  async function grows(reservation: Reservation, bytes: number): Promise<boolean> {
    let hasGrown = false;
    void reservation.growTo(bytes).then(
      () => (hasGrown = true),
      () => undefined,
    );
    await new Promise((resolve) => setImmediate(resolve));
    return hasGrown;
  }

  it('is reserved only for what was received', () => {
    const budget = new MemoryBudget(max, 0);
    for (let i = 0; i < 1_000; i++) budget.open(1, connected);
    expect(budget.counts.usedBytes).to.equal(0);
  });

  it('is at most half for one organisation, and another one gets as much', async () => {
    const budget = new MemoryBudget(max, 60_000);
    expect(await grows(budget.open(1, connected), 3_500 * kib)).to.equal(true);
    expect(await grows(budget.open(1, connected), 193 * kib)).to.equal(false);
    expect(await grows(budget.open(2, connected), 3_500 * kib)).to.equal(true);
    expect(budget.counts).to.deep.include({ usedBytes: 7_000 * kib, waiting: 1 });
  });

  it('is left for small bodies, also of an organisation with large ones', async () => {
    const budget = new MemoryBudget(max, 60_000);
    for (const organisation of [1, 2]) {
      expect(await grows(budget.open(organisation, connected), 3_500 * kib)).to.equal(true);
      expect(await grows(budget.open(organisation, connected), 300 * kib)).to.equal(false);
    }
    for (const organisation of [1, 2, 3]) {
      expect(await grows(budget.open(organisation, connected), small)).to.equal(true);
    }
  });

  it('goes to waiting organisations in turn', async () => {
    const budget = new MemoryBudget(max, 60_000);
    const held = [budget.open(8, connected), budget.open(9, connected)] as const;
    for (const one of held) await one.growTo(3_500 * kib);
    const order: number[] = [];
    for (const organisation of [1, 1, 1, 2, 2, 3]) {
      const waiting = budget.open(organisation, connected);
      void waiting.growTo(3_000 * kib).then(() => {
        order.push(organisation);
        waiting.free();
      });
    }
    held[0].free();
    await new Promise((resolve) => setImmediate(resolve));
    expect(order).to.deep.equal([1, 2, 3, 1, 2, 1]);
  });

  it('is waited for at most for the maximum time in total, however often a request waits', async () => {
    const budget = new MemoryBudget(max, 50);
    const [first, second, request] = [1, 1, 1].map((id) => budget.open(id, connected)) as [
      Reservation,
      Reservation,
      Reservation,
    ];
    await first.growTo(3_400 * kib);
    setTimeout(() => first.free(), 30);
    await request.growTo(200 * kib);
    await second.growTo(3_300 * kib);
    // 20 ms are left. Timers end in the order of their time, also on a busy machine.
    const order: unknown[] = [];
    setTimeout(() => order.push('45 ms'), 45);
    await request
      .growTo(400 * kib)
      .catch((error: unknown) => order.push((error as AppError).status));
    expect(order).to.deep.equal([503]);
  });

  it('is taken from the last of several requests that wait for each other', async () => {
    const budget = new MemoryBudget(max, 60_000);
    const requests = Array.from({ length: 5 }, () => budget.open(1, connected));
    for (const one of requests) await one.growTo(700 * kib);
    const outcomes = await Promise.all(
      requests.map((one) =>
        one.growTo(1_400 * kib).then(
          () => (one.free(), 'received'),
          (error: unknown) => (one.free(), (error as AppError).status),
        ),
      ),
    );
    expect(outcomes).to.deep.equal(['received', 'received', 'received', 'received', 503]);
    expect(budget.counts).to.deep.equal({
      usedBytes: 0,
      running: 0,
      waiting: 0,
      refused: 1,
    });
  });

  it('is not kept by a request whose client disconnects while it waits', async () => {
    const budget = new MemoryBudget(max, 60_000);
    const held = budget.open(1, connected);
    await held.growTo(3_500 * kib);
    const client = new AbortController();
    const waiting = budget.open(1, client.signal).growTo(300 * kib);
    client.abort(new Error('disconnected'));
    expect(await waiting.catch((error: unknown) => (error as Error).message)).to.equal(
      'disconnected',
    );
    expect(budget.counts.waiting).to.equal(0);
  });
});
