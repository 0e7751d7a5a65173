import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from 'chai';
import { connectPostgres } from '../../services/shared/postgres/connect-postgres.ts';
import { localStack } from '../support/local-stack.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';

/** Longer than a statement takes on a busy machine. */
const timeoutMs = 3_000;

describe('a connection to Postgres that goes silent', () => {
  it('times out, also after it was idle for longer than the timeout', async () => {
    const { databaseUrl } = await localStack();
    const proxy = await startTcpProxy(databaseUrl);
    const database = connectPostgres(proxy.url, 1, 'silent-postgres-test', {
      socketTimeoutMs: timeoutMs,
    });
    try {
      await database.raw('select 1');
      await sleep(1.5 * timeoutMs);
      proxy.fault({ kind: 'swallow', direction: 'to the store', afterBytes: 0 });
      const failure = await database.raw('select 2').then(
        () => 'a response',
        (error: unknown) => String(error),
      );
      expect(failure).to.contain(`No response from Postgres for ${timeoutMs} ms`);
      proxy.heal();
      const { rows } = await database.raw<{ rows: unknown[] }>('select 3 as three');
      expect(rows).to.deep.equal([{ three: 3 }]);
    } finally {
      proxy.heal();
      await database.destroy();
      await proxy.stop();
    }
  });
});
