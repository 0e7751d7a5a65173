import { expect } from 'chai';
import type { Options } from 'express-rate-limit';
import { BoundedCounts } from '../../../services/shared/rate-limit/bounded-counts.ts';

describe('the counts of a rate limit', () => {
  it('are per client, and start again after the window', () => {
    const counts = new BoundedCounts();
    expect(counts.increment('a').totalHits).to.equal(1);
    expect(counts.increment('a').totalHits).to.equal(2);
    expect(counts.increment('b').totalHits).to.equal(1);
    counts.decrement('a');
    expect(counts.increment('a').totalHits).to.equal(2);
    // A window of no length has always ended.
    counts.init({ windowMs: 0 } as Options);
    counts.resetKey('a');
    expect(counts.increment('a').totalHits).to.equal(1);
    expect(counts.increment('a').totalHits).to.equal(1);
  });

  it('are kept for the 10,000 clients that called last', () => {
    const counts = new BoundedCounts();
    counts.increment('frequent');
    for (let client = 0; client < 15_000; client++) {
      counts.increment(`client ${client}`);
      if (client % 1_000 === 0) counts.increment('frequent');
    }
    expect(counts.increment('frequent').totalHits).to.equal(17);
    expect(counts.increment('client 14999').totalHits).to.equal(2);
    expect(counts.increment('client 0').totalHits).to.equal(1);
  });

  it('do not depend on steps of the clock', () => {
    const realNow = Date.now;
    const counts = new BoundedCounts();
    counts.increment('a');
    try {
      for (const [totalHits, stepMs] of [
        [2, 86_400_000],
        [3, -86_400_000],
      ] as const) {
        Date.now = () => realNow() + stepMs;
        const { totalHits: hits, resetTime } = counts.increment('a');
        expect(hits).to.equal(totalHits);
        expect(resetTime!.getTime() - Date.now()).to.be.within(1, 60_000);
      }
    } finally {
      Date.now = realNow;
    }
  });
});
