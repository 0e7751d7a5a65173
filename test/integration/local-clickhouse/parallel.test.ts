import { availableParallelism } from 'node:os';
import type { ClickHouseClient } from '@clickhouse/client';
import { expect } from 'chai';
import { chooseEngine } from '../../../deploy/local/choose-engine.ts';
import { endlessQuery, localClickHouse, quietClient } from '../../support/local-clickhouse.ts';
import { waitUntil } from '../../support/wait-until.ts';

const { engine } = await chooseEngine();

describe('the local ClickHouse server: concurrent queries', () => {
  let url: string;
  let client: ClickHouseClient;

  before(async () => {
    ({ url } = await localClickHouse());
    client = quietClient(url, { max_open_connections: 100 });
  });
  after(() => client.close());

  const rowsOf = async (query: string) =>
    (await client.query({ query, format: 'JSONEachRow' })).json();

  it('may each use every core', async () => {
    const rows = await rowsOf("SELECT toUInt32(getSetting('max_threads')) AS threads");
    expect(rows).to.deep.equal([{ threads: availableParallelism() }]);
  });

  it('fail when they exceed their memory limit', async () => {
    const error = await client
      .query({
        query: 'SELECT uniqExact(number) FROM numbers(10000000)',
        clickhouse_settings: { max_memory_usage: '20000000' },
      })
      .catch((reason: unknown) => reason);
    expect(error).to.include({ code: '241', type: 'MEMORY_LIMIT_EXCEEDED' });
  });

  // The WebAssembly engine runs one query at a time.
  if (engine !== 'wasm') {
    it('run in parallel: a short one returns while thirty long ones run', async () => {
      const ids = Array.from({ length: 30 }, (_, i) => `long-${i}`);
      const running = ids.map((query_id) =>
        client.query({ query: endlessQuery, query_id }).catch((reason: unknown) => reason),
      );
      const query =
        "SELECT toUInt32(count()) AS count FROM system.processes WHERE query LIKE '%sipHash64%'";
      await waitUntil(async () => {
        const [row] = (await rowsOf(query)) as [{ count: number }];
        // The count includes the counting query itself.
        return row.count === ids.length + 1;
      });
      await Promise.all(
        ids.map((id) => client.command({ query: `KILL QUERY WHERE query_id = '${id}' SYNC` })),
      );
      for (const error of await Promise.all(running)) expect(error).to.include({ code: '394' });
      expect(await rowsOf('SELECT 1 AS one')).to.deep.equal([{ one: 1 }]);
    });
  }
});
