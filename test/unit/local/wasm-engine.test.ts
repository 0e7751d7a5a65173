import { expect } from 'chai';
import { type LocalClickHouse, startClickHouse } from '../../../deploy/local/start-clickhouse.ts';
import { freePort } from '../../support/free-port.ts';
import { newDataDir, quietClient } from '../../support/local-clickhouse.ts';

// Without a stack, which takes a minute to migrate on this engine. `make test-long` also runs tests on a stack.
describe('ClickHouse as WebAssembly, for machines without a native engine', () => {
  let server: LocalClickHouse;
  let client: ReturnType<typeof quietClient>;

  before(async () => {
    const port = await freePort();
    server = await startClickHouse({ port, dataDir: newDataDir(), engine: 'wasm' });
    client = quietClient(server.url);
  });
  after(async () => {
    await client.close();
    await server.stop();
  });

  const rowsOf = async (query: string) =>
    (await client.query({ query, format: 'JSONEachRow' })).json();

  it('is named in the description of the server', () => {
    expect(server.description).to.match(/^\d+\.\d+\.\d+\.\d+, WebAssembly engine/);
  });

  it('stores rows, and aggregates them in the time zone of a query', async () => {
    await client.command({
      query:
        "CREATE TABLE results (agent UInt32, dtime DateTime('UTC'), mbps Float64) ORDER BY agent",
    });
    await client.insert({
      table: 'results',
      values: [
        { agent: 1, dtime: '2026-10-31 23:30:00', mbps: 10 },
        { agent: 2, dtime: '2026-10-31 23:45:00', mbps: 20 },
        { agent: 1, dtime: '2026-11-01 12:00:00', mbps: 60 },
      ],
      format: 'JSONEachRow',
    });
    const days = `SELECT toDate(dtime, 'Europe/Oslo') AS day, avg(mbps) AS mean, toUInt32(count()) AS count
FROM results GROUP BY day`;
    expect(await rowsOf(days)).to.deep.equal([{ day: '2026-11-01', mean: 30, count: 3 }]);
  });

  it('reports an invalid query with the code of ClickHouse, and answers the next one', async () => {
    const error = await rowsOf('SELECT missing FROM results').catch((reason: unknown) => reason);
    expect(error).to.include({ code: '47', type: 'UNKNOWN_IDENTIFIER' });
    expect(await rowsOf('SELECT toUInt32(count()) AS count FROM results')).to.deep.equal([
      { count: 3 },
    ]);
  });
});
