import { expect } from 'chai';
import { AttemptCounter } from '../../../services/shared/audit/attempt-counter.ts';

const minuteMs = 60_000;
const others = { address: 'others' };

describe('refused requests', () => {
  it('are counted per client and minute', () => {
    const counter = new AttemptCounter<{ address: string }>(others);
    for (const atMs of [0, 1, minuteMs - 1, minuteMs]) counter.add({ address: 'a' }, atMs);
    counter.add({ address: 'b' }, 5);
    expect(counter.takeEnded(minuteMs - 1)).to.deep.equal([]);
    expect(counter.takeEnded(minuteMs)).to.deep.equal([
      { attempt: { address: 'a' }, minuteMs: 0, count: 3 },
      { attempt: { address: 'b' }, minuteMs: 0, count: 1 },
    ]);
    expect(counter.takeEnded(minuteMs)).to.deep.equal([]);
    expect(counter.takeEnded(Infinity)).to.deep.equal([
      { attempt: { address: 'a' }, minuteMs, count: 1 },
    ]);
  });

  it('have at most 100 records per minute and one for all others', () => {
    const counter = new AttemptCounter<{ address: string }>(others);
    for (let i = 0; i < 10_000; i++) counter.add({ address: `address ${i}` }, 0);
    counter.add({ address: 'address 7' }, 0);
    const counted = counter.takeEnded(Infinity);
    expect(counted).to.have.length(101);
    expect(counted.at(-1)).to.deep.equal({ attempt: others, minuteMs: 0, count: 9_900 });
    expect(counted[7]?.count).to.equal(2);
  });
});
