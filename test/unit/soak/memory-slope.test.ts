import { expect } from 'chai';
import { memorySlope } from '../../soak/memory-slope.ts';

const megabyte = 1_000_000;

describe('the growth of memory in a soak', () => {
  it('is 0 for memory that garbage collections bring back to the same size', () => {
    expect(memorySlope(samples((i) => 50 + (i % 6)))).to.equal(0);
  });

  it('is that of the memory after collections, in bytes per ten minutes', () => {
    const leaking = samples((i) => 50 + (i % 6) + (1.5 * Math.floor(i / 6)) / 10);
    expect(memorySlope(leaking)).to.be.closeTo(1.5 * megabyte, 1);
  });

  it('is negative for memory that shrinks', () => {
    expect(memorySlope(samples((i) => 80 - i / 60))).to.be.closeTo(-megabyte, 1);
  });

  /** Fifty minutes, six samples each. */
  function samples(megabytesAt: (index: number) => number) {
    return Array.from({ length: 300 }, (_, i) => ({
      atMs: 1_000_000 + i * 10_000,
      bytes: megabytesAt(i) * megabyte,
    }));
  }
});
