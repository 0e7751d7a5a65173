import { expect } from 'chai';
import { statementTimeoutMs } from '../../../services/metadata/snapshot/snapshot-statements.ts';

describe('the statement timeout of a snapshot', () => {
  it('is ten seconds for a small panel, to detect a lost connection soon', () => {
    expect(statementTimeoutMs(0, 0)).to.equal(10_000);
    expect(statementTimeoutMs(1_000, 0)).to.equal(10_500);
  });

  it('grows with the panel, so that a large one succeeds at the first attempt', () => {
    expect(statementTimeoutMs(100_000, 0)).to.equal(60_000);
  });

  it('is accepted by AbortSignal.timeout for any number of agents', () => {
    for (const agents of [1, 2, 3, 99_999, 0.25]) {
      expect(() => AbortSignal.timeout(statementTimeoutMs(agents, 0)), `${agents}`).not.to.throw();
    }
  });

  it('doubles with each failure, up to ten minutes', () => {
    expect(statementTimeoutMs(0, 1)).to.equal(20_000);
    expect(statementTimeoutMs(0, 3)).to.equal(80_000);
    expect(statementTimeoutMs(100_000, 9)).to.equal(600_000);
  });
});
