import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect } from 'chai';
import type { ProcessRecord } from '../../../deploy/local/process-record.ts';
import { StartedParts } from '../../../deploy/local/started-parts.ts';

describe('the started parts of a stack', () => {
  it('stop also those that were still starting when another one failed', async () => {
    const stopped: string[] = [];
    const part = (name: string) => ({ stop: () => Promise.resolve(void stopped.push(name)) });
    const parts = new StartedParts({ add: () => undefined } as unknown as ProcessRecord);
    await parts.add(Promise.resolve(part('ClickHouse')));
    const slow = parts.add(nextTurn(part('metadata service')));
    const failing = parts.add(Promise.reject(new Error('the port is in use')));
    await Promise.all([slow, failing]).then(
      () => expect.fail('a part could not start'),
      () => parts.stop(),
    );
    expect(stopped).to.deep.equal(['metadata service', 'ClickHouse']);
  });
});
