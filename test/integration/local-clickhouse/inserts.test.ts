import { once } from 'node:events';
import { request } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { ClickHouseClient } from '@clickhouse/client';
import { expect } from 'chai';
import { localClickHouse, quietClient } from '../../support/local-clickhouse.ts';

describe('the local ClickHouse server: inserts', () => {
  let url: string;
  let client: ClickHouseClient;

  before(async () => {
    ({ url } = await localClickHouse());
    client = quietClient(url);
  });
  beforeEach(async () => {
    await client.command({ query: 'DROP TABLE IF EXISTS inserted' });
    await client.command({
      query: 'CREATE TABLE inserted (a Int32, s String) ENGINE = MergeTree ORDER BY a',
    });
  });
  after(() => client.close());

  const stored = async () => {
    const query = 'SELECT a, s FROM inserted ORDER BY a';
    return (await client.query({ query, format: 'JSONCompactEachRow' })).json();
  };
  const post = (query: string, body: string | Uint8Array, headers = {}) =>
    fetch(`${url}/?query=${encodeURIComponent(query)}`, { method: 'POST', body, headers });

  it('stores JSONEachRow, including zero bytes', async () => {
    const values = [
      { a: 1, s: "it's \\ \u0000 \n" },
      { a: 2, s: '東京' },
    ];
    const { summary } = await client.insert({ table: 'inserted', values, format: 'JSONEachRow' });
    expect(summary).to.include({ written_rows: '2' });
    expect(await stored()).to.deep.equal([
      [1, "it's \\ \u0000 \n"],
      [2, '東京'],
    ]);
  });

  it('stores CSVWithNames with columns in any order', async () => {
    await post('INSERT INTO inserted FORMAT CSVWithNames', 's,a\n"x, ""y""\n;",1\nz,2\n');
    expect(await stored()).to.deep.equal([
      [1, 'x, "y"\n;'],
      [2, 'z'],
    ]);
  });

  it('stores RowBinary', async () => {
    const row = Buffer.from([7, 0, 0, 0, 3, 0x61, 0x00, 0x62]);
    await post('INSERT INTO inserted FORMAT RowBinary', row);
    expect(await stored()).to.deep.equal([[7, 'a\u0000b']]);
  });

  it('accepts gzip, from the client and from a plain request', async () => {
    const gzipClient = quietClient(url, { compression: { request: true, response: true } });
    const values = [{ a: 1, s: 'client' }];
    await gzipClient.insert({ table: 'inserted', values, format: 'JSONEachRow' });
    await gzipClient.close();
    await post('INSERT INTO inserted FORMAT CSV', gzipSync('2,hand\n'), {
      'content-encoding': 'gzip',
    });
    expect(await stored()).to.deep.equal([
      [1, 'client'],
      [2, 'hand'],
    ]);
  });

  it('finds the start of the data, in the URL or in the body', async () => {
    const bodies = [
      "INSERT INTO inserted VALUES (1, 'FORMAT CSV; SELECT'), (2, upper('expression'))",
      'INSERT INTO inserted FORMAT CSV\n3,"a;b"\n',
      'INSERT INTO inserted (a) SETTINGS async_insert = 0 FORMAT TSV 4\n',
      '/* FORMAT CSV */ INSERT INTO TABLE inserted (s, a) FORMAT CSV;\r\nx,5\n',
      "INSERT INTO inserted SELECT 6, 'VALUES (1)'",
    ];
    for (const body of bodies) {
      const response = await fetch(url, { method: 'POST', body });
      expect(response.status, await response.text()).to.equal(200);
    }
    await post("INSERT INTO inserted VALUES (7, 'address'),", "(8, 'body')");
    expect(await stored()).to.deep.equal([
      [1, 'FORMAT CSV; SELECT'],
      [2, 'EXPRESSION'],
      [3, 'a;b'],
      [4, ''],
      [5, 'x'],
      [6, 'VALUES (1)'],
      [7, 'address'],
      [8, 'body'],
    ]);
  });

  it('stores nothing of an invalid batch', async () => {
    const response = await post('INSERT INTO inserted FORMAT CSV', '1,good\nbad,row\n');
    expect(response.status).to.equal(400);
    expect(response.headers.get('x-clickhouse-exception-code')).to.equal('27');
    expect(await stored()).to.deep.equal([]);
  });

  it('rejects a body that is not valid gzip', async () => {
    const headers = { 'content-encoding': 'gzip' };
    const response = await post('INSERT INTO inserted FORMAT CSV', '1,plain\n', headers);
    expect(response.status).to.equal(500);
    expect(await response.text()).to.match(/incorrect header check/);
    expect(await stored()).to.deep.equal([]);
  });

  it('stores a batch of many megabytes completely', async () => {
    const line = (i: number) => `${i},${'x'.repeat(40)}${i}\n`;
    const body = Array.from({ length: 400_000 }, (_, i) => line(i)).join('');
    expect((await post('INSERT INTO inserted FORMAT CSV', body)).status).to.equal(200);
    const query = 'SELECT count() AS n, uniqExact(a) AS distinct, max(s) AS last FROM inserted';
    const result = await client.query({ query, format: 'JSONEachRow' });
    expect(await result.json()).to.deep.equal([
      { n: 400_000, distinct: 400_000, last: `${'x'.repeat(40)}99999` },
    ]);
  });

  it('rejects a body over the limit with 413', async () => {
    const sent = request(`${url}/?query=INSERT+INTO+inserted+FORMAT+CSV`, {
      method: 'POST',
      headers: { 'content-length': 1024 ** 3 + 1 },
    });
    sent.on('error', () => undefined);
    sent.write('1,a\n');
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    expect(response.statusCode).to.equal(413);
    sent.destroy();
  });
});
