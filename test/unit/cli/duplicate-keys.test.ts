import { expect } from 'chai';
import { DuplicateKeys } from '../../../services/results/rows/duplicate-keys.ts';

describe('the keys of a file', () => {
  it('tell new rows from equal rows and from rows with the same key only', () => {
    const keys = new DuplicateKeys();
    expect(keys.add(1, 2, 3)).to.equal(0);
    expect(keys.add(1, 2, 3)).to.equal(1);
    expect(keys.add(1, 2, 4)).to.equal(2);
    expect(keys.add(1, 3, 3)).to.equal(0);
    expect(keys.add(0, 0, 0)).to.equal(0);
    expect(keys.add(0, 0, 0)).to.equal(1);
    expect(keys.add(-5, -6, -7)).to.equal(0);
    expect(keys.add(-5, -6, -7)).to.equal(1);
  });

  it('are all remembered while the table grows', () => {
    const keys = new DuplicateKeys();
    const add = (i: number) => keys.add(Math.imul(i, 0x9e3779b1), i, i);
    for (let i = 1; i <= 200_000; i++) expect(add(i)).to.equal(0);
    for (let i = 1; i <= 200_000; i++) expect(add(i)).to.equal(1);
  });

  it('start again when there are too many, so that memory stays constant', () => {
    const keys = new DuplicateKeys(10);
    for (let i = 1; i <= 10; i++) keys.add(i, i, i);
    expect(keys.add(1, 1, 1)).to.equal(0);
    expect(keys.add(1, 1, 1)).to.equal(1);
  });
});
