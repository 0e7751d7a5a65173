import { expect } from 'chai';
import { Settling } from '../../../services/load/watch/watch-place.ts';

describe('the settle time of a watched file', () => {
  const file = (name: string, version: string) => ({
    name,
    version,
    sizeBytes: 1,
    modifiedAt: new Date(0),
  });
  const names = (files: readonly { readonly name: string }[]) => files.map(({ name }) => name);

  it('ends when the file was the same for so long, and starts again when it changes', () => {
    const settling = new Settling(10_000);
    const look = (version: string, ms: number) => {
      const { settled, nextInMs } = settling.look([file('a', version)], {
        startedMs: ms,
        endedMs: ms,
      });
      return [names(settled), nextInMs];
    };
    expect(look('1', 0)).to.deep.equal([[], 10_000]);
    expect(look('1', 9_999)).to.deep.equal([[], 1]);
    expect(look('2', 10_000)).to.deep.equal([[], 10_000]);
    expect(look('2', 20_000)).to.deep.equal([['a'], Infinity]);
    expect(look('2', 30_000)).to.deep.equal([['a'], Infinity]);
  });

  it('counts from the end of a listing to the start of another: a listing may take long', () => {
    const settling = new Settling(10_000);
    settling.look([file('a', '1')], { startedMs: 0, endedMs: 5_000 });
    const late = settling.look([file('a', '1')], { startedMs: 14_000, endedMs: 20_000 });
    expect(names(late.unsettled)).to.deep.equal(['a']);
    const last = settling.look([file('a', '1')], { startedMs: 15_000, endedMs: 20_000 });
    expect(names(last.settled)).to.deep.equal(['a']);
  });

  it('starts again for a file that was away', () => {
    const settling = new Settling(1_000);
    settling.look([file('a', '1')], { startedMs: 0, endedMs: 0 });
    settling.look([], { startedMs: 500, endedMs: 500 });
    const back = settling.look([file('a', '1')], { startedMs: 1_000, endedMs: 1_000 });
    expect(names(back.unsettled)).to.deep.equal(['a']);
  });

  it('of 0 takes every file at once', () => {
    const { settled, unsettled } = new Settling(0).look([file('a', '1')], {
      startedMs: 0,
      endedMs: 5,
    });
    expect([names(settled), names(unsettled)]).to.deep.equal([['a'], []]);
  });
});
