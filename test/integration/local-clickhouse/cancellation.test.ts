import type { ClickHouseClient } from '@clickhouse/client';
import { expect } from 'chai';
import {
  endlessQuery,
  localClickHouse,
  queryHasArrived,
  quietClient,
} from '../../support/local-clickhouse.ts';

describe('the local ClickHouse server: cancellation', () => {
  let url: string;
  let client: ClickHouseClient;

  before(async () => {
    ({ url } = await localClickHouse());
    client = quietClient(url);
  });
  after(() => client.close());

  const failure = (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      () => 'no failure',
      (reason: unknown) => reason,
    );
  const selectOne = async () => (await fetch(url, { method: 'POST', body: 'SELECT 1' })).text();
  const kill = (queryId: string, mode = '') =>
    client.query({
      query: `KILL QUERY WHERE query_id = {id:String} ${mode}`,
      query_params: { id: queryId },
      format: 'JSONEachRow',
    });

  it('cancels a query when the client disconnects', async () => {
    const abort = new AbortController();
    const gone = failure(
      client.query({ query: endlessQuery, query_id: 'gone', abort_signal: abort.signal }),
    );
    await queryHasArrived(url, 'gone');
    abort.abort();
    await gone;
    expect(await selectOne()).to.equal('1\n');
  });

  it('cancels a query when the client disconnects during a stream', async () => {
    const sql = 'SELECT number FROM numbers(1000000000000)';
    const response = await fetch(`${url}/?query_id=half-read`, { method: 'POST', body: sql });
    await response.body?.cancel();
    // A query id can be used again only after the first query has ended.
    for (;;) {
      const next = await fetch(`${url}/?query_id=half-read`, { method: 'POST', body: 'SELECT 1' });
      const text = await next.text();
      if (next.status === 200) break;
      expect(text).to.match(/^Code: 216\./);
    }
  });

  it('kills a running query and reports that to both clients', async () => {
    const killed = failure(client.query({ query: endlessQuery, query_id: "it's running" }));
    await queryHasArrived(url, "it\\'s running");
    const response = await (await kill("it's running", 'SYNC')).json();
    expect(response).to.deep.equal([
      {
        kill_status: 'finished',
        query_id: "it's running",
        user: 'default',
        query: `${endlessQuery} \nFORMAT JSON`,
      },
    ]);
    expect(await killed).to.include({ code: '394', type: 'QUERY_WAS_CANCELLED' });
    expect(await selectOne()).to.equal('1\n');
  });

  it('kills only the query with the given id', async () => {
    const left = failure(client.query({ query: endlessQuery, query_id: 'left alone' }));
    await queryHasArrived(url, 'left alone');
    const killed = failure(client.query({ query: endlessQuery, query_id: 'named' }));
    await queryHasArrived(url, 'named');
    await client.command({ query: "KILL QUERY WHERE query_id = 'named' SYNC" });
    expect(await killed).to.include({ code: '394' });
    await queryHasArrived(url, 'left alone');
    await client.command({ query: "KILL QUERY WHERE query_id = 'left alone' SYNC" });
    expect(await left).to.include({ code: '394' });
  });

  it('does not end the stream of another query when one is cancelled', async () => {
    const stream = await fetch(url, {
      method: 'POST',
      body: 'SELECT number FROM numbers(3000000)',
    });
    const killed = failure(client.query({ query: endlessQuery, query_id: 'victim' }));
    await queryHasArrived(url, 'victim');
    await client.command({ query: "KILL QUERY WHERE query_id = 'victim' SYNC" });
    expect(await killed).to.include({ code: '394' });
    expect((await stream.text()).endsWith('\n2999999\n')).to.equal(true);
  });

  it('returns no rows for a kill of an unknown query', async () => {
    expect(await (await kill('unknown')).json()).to.deep.equal([]);
  });

  it('responds to /ping while the engine is busy', async () => {
    const busy = failure(client.query({ query: endlessQuery, query_id: 'busy' }));
    await queryHasArrived(url, 'busy');
    expect(await (await fetch(`${url}/ping`)).text()).to.equal('Ok.\n');
    await client.command({ query: "KILL QUERY WHERE query_id = 'busy'" });
    expect(await busy).to.include({ code: '394' });
  });

  it('sends each of twenty concurrent clients its own response', async () => {
    const clients = Array.from({ length: 20 }, async (_, clientNumber) => {
      const result = await client.query({
        query:
          "SELECT {clientNumber:UInt32} AS clientNumber, getSetting('max_result_rows') AS setting, number FROM numbers(200000)",
        query_params: { clientNumber },
        clickhouse_settings: { max_result_rows: String(1_000_000 + clientNumber) },
        format: 'JSONCompactEachRow',
      });
      const rows = await result.json<[number, string, string]>();
      expect(rows).to.have.length(200_000);
      expect(new Set(rows.map((row) => row[0]))).to.deep.equal(new Set([clientNumber]));
      expect(new Set(rows.map((row) => Number(row[1])))).to.deep.equal(
        new Set([1_000_000 + clientNumber]),
      );
      expect(new Set(rows.map((row) => row[2])).size).to.equal(200_000);
    });
    await Promise.all(clients);
  });
});
