import { expect } from 'chai';
import { type Claim, doDue } from '../../../services/shared/jobs/durable-job.ts';

const free: Claim<string> = async (_item, work) => ({ result: await work() });
const due = () => Promise.resolve(['one', 'two', 'three']);

describe('durable work', () => {
  it('does what is due in order, except items of other processes', async () => {
    const busy: string[] = [];
    const results = await doDue({
      due,
      claim: (item, work) => (item === 'two' ? Promise.resolve(undefined) : free(item, work)),
      run: (item) => item.toUpperCase(),
      onBusy: (item) => busy.push(item),
    });
    expect(results).to.deep.equal(['ONE', 'THREE']);
    expect(busy).to.deep.equal(['two']);
  });

  it('completes the current item when it is stopped, and leaves the others due', async () => {
    const stop = new AbortController();
    const done: string[] = [];
    const run = async (item: string) => {
      stop.abort();
      await Promise.resolve();
      done.push(item);
    };
    await doDue({ due, claim: free, run }, stop.signal);
    expect(done).to.deep.equal(['one']);
  });
});
