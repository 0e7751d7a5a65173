import { expect } from 'chai';
import { rangeBefore, rangeOf } from '../../../services/explorer/src/state/local-days.ts';
import { defaultView, type Query } from '../../../services/explorer/src/state/view-state.ts';

const now = new Date(2026, 10, 16, 9, 30);

function query(range: Partial<Query>): Query {
  return { ...defaultView.query, lastDays: undefined, ...range };
}

describe('the range of an explorer view', () => {
  it('has whole days, of which the last is yesterday', () => {
    expect(rangeOf(query({ lastDays: 28 }), now)).to.deep.equal({
      from: '2026-10-19',
      to: '2026-11-15',
    });
    expect(rangeOf(query({ lastDays: 1 }), now)).to.deep.equal({
      from: '2026-11-15',
      to: '2026-11-15',
    });
  });

  it('has a period of the same length before it, without a gap', () => {
    const before = (range: Partial<Query>) => rangeBefore(query(range), now);
    expect(before({ lastDays: 7 })).to.deep.equal({ from: '2026-11-02', to: '2026-11-08' });
    expect(before({ from: '2026-03-01', to: '2026-03-31' })).to.deep.equal({
      from: '2026-01-29',
      to: '2026-02-28',
    });
    expect(before({ from: '-7 days', to: 'now' })).to.deep.equal({
      from: '-14 days',
      to: '-7 days',
    });
    expect(before({ from: '2026-03-01 00:00', to: '2026-03-01 23:59:59' })).to.deep.equal({
      from: '2026-02-28 00:00:00',
      to: '2026-02-28 23:59:59',
    });
    expect(before({ from: 'last monday', to: 'now' })).to.equal(undefined);
    expect(before({ from: '2026-03-02', to: '2026-03-01' })).to.equal(undefined);
  });
});
