import { expect } from 'chai';
import { BatchedLookup } from '../../../services/shared/batched-lookup.ts';

describe('a batched lookup', () => {
  /** Queries that end when the test says so. */
  function heldLookup(maxQueries: number, options = {}) {
    const queries: { readonly keys: readonly string[]; end: (error?: Error) => void }[] = [];
    const lookup = new BatchedLookup<string>(
      maxQueries,
      (keys) =>
        new Promise((resolve, reject) => {
          const found = new Map(keys.map((key) => [key, `value of ${key}`]));
          queries.push({
            keys,
            end: (error) => (error === undefined ? resolve(found) : reject(error)),
          });
        }),
      options,
    );
    return { lookup, queries };
  }

  it('runs a bounded number of queries, and the next one takes all waiting keys', async () => {
    const { lookup, queries } = heldLookup(2);
    const found = ['a', 'b', 'c', 'd', 'e'].map((key) => lookup.find(key));
    expect(queries.map(({ keys }) => keys)).to.deep.equal([['a'], ['b']]);
    queries[0]!.end();
    expect(await found[0]).to.equal('value of a');
    expect(queries[2]!.keys).to.deep.equal(['c', 'd', 'e']);
    queries[1]!.end();
    queries[2]!.end();
    expect(await Promise.all(found)).to.include.members(['value of b', 'value of e']);
  });

  it('asks for a key once, whether its query is running or waiting', async () => {
    const { lookup, queries } = heldLookup(1);
    const running = [lookup.find('a'), lookup.find('a')];
    const waiting = [lookup.find('b'), lookup.find('b'), lookup.find('a')];
    queries[0]!.end();
    expect(await Promise.all(running)).to.deep.equal(['value of a', 'value of a']);
    expect(queries[1]!.keys).to.deep.equal(['b']);
    queries[1]!.end();
    await Promise.all(waiting);
    expect(queries).to.have.length(2);
  });

  it('asks again for a key whose query has started, if the value must be as new as the request', async () => {
    const { lookup, queries } = heldLookup(1, { isFresh: true });
    const started = lookup.find('a');
    const later = [lookup.find('a'), lookup.find('a')];
    queries[0]!.end();
    await started;
    expect(queries.map(({ keys }) => keys)).to.deep.equal([['a'], ['a']]);
    queries[1]!.end();
    await Promise.all(later);
  });

  it('fails only the keys of a failed query, and goes on', async () => {
    const { lookup, queries } = heldLookup(1);
    const failed = lookup.find('a').catch((error: unknown) => error);
    const later = lookup.find('b');
    queries[0]!.end(new Error('no connection'));
    expect(await failed).to.be.an('error');
    queries[1]!.end();
    expect(await later).to.equal('value of b');
  });
});
