import type { ClickHouseClient } from '@clickhouse/client';
import { expect } from 'chai';
import { localClickHouse, quietClient } from '../../support/local-clickhouse.ts';

describe('the local ClickHouse server: queries', () => {
  let url: string;
  let client: ClickHouseClient;

  before(async () => {
    ({ url } = await localClickHouse());
    client = quietClient(url);
  });
  after(() => client.close());

  const value = async (sql: string, parameters: Record<string, unknown> = {}): Promise<unknown> => {
    const query = { query: sql, query_params: parameters, format: 'JSONCompactEachRow' } as const;
    const rows = await (await client.query(query)).json<unknown[]>();
    return rows[0]?.[0];
  };
  const post = (body: string, search = '') => fetch(`${url}/?${search}`, { method: 'POST', body });

  for (const text of [
    "it's",
    'a "quoted" word',
    'back\\slash \\n \\\\',
    'line\nbreak\r\nand\ttab',
    'Zürich, 東京, 🙂',
    "'; DROP TABLE t; --",
    '{p:String} ?x=1&y=%20+',
    '',
  ]) {
    it(`binds ${JSON.stringify(text)} unchanged`, async () => {
      expect(await value('SELECT {p:String}', { p: text })).to.equal(text);
    });
  }

  it('has a memory limit that its drifting memory counter does not reach', async () => {
    const limit = "SELECT value FROM system.server_settings WHERE name = 'max_server_memory_usage'";
    const count = "SELECT value FROM system.metrics WHERE metric = 'MemoryTracking'";
    const sendQueries = async (number: number) => {
      for (let i = 0; i < number; i++) await value('SELECT 1');
    };
    // The first queries of a server fill its caches.
    await sendQueries(20);
    const before = Number(await value(count));
    await sendQueries(200);
    const perQuery = (Number(await value(count)) - before) / 200;
    expect(Number(await value(limit)) / Math.max(1, perQuery)).to.be.greaterThan(1_000_000);
  });

  it('binds arrays, numbers, nulls, dates and identifiers', async () => {
    const list = ["it's", 'b\\c', '東京'];
    expect(await value('SELECT {p:Array(String)}', { p: list })).to.deep.equal(list);
    expect(await value('SELECT toString({p:Int64} + 1)', { p: '-9007199254740993' })).to.equal(
      '-9007199254740992',
    );
    expect(await value('SELECT {p:Nullable(String)} IS NULL', { p: null })).to.equal(1);
    expect(
      await value("SELECT toString({p:DateTime64(3, 'UTC')})", {
        p: new Date('2026-03-29T01:00Z'),
      }),
    ).to.equal('2026-03-29 01:00:00.000');
    expect(
      await value('SELECT {column:Identifier} FROM (SELECT 7 AS `odd name`)', {
        column: 'odd name',
      }),
    ).to.equal(7);
  });

  it('rejects a parameter with a zero byte instead of truncating it', async () => {
    const response = await post('SELECT {p:String}', 'param_p=a%00b');
    expect(await response.text()).to.match(/^Code: 457\..*zero byte/);
  });

  it('returns JSON as one document, however large', async () => {
    const result = await client.query({ query: 'SELECT number FROM numbers(300000)' });
    const json = await result.json<{ number: number }>();
    expect(json.rows).to.equal(300_000);
    expect(json.data.at(-1)).to.deep.equal({ number: 299_999 });
    expect(json.meta).to.deep.equal([{ name: 'number', type: 'UInt64' }]);
  });

  it('returns JSONEachRow', async () => {
    const query = 'SELECT number AS n, toString(number) AS s FROM numbers(2)';
    const result = await client.query({ query, format: 'JSONEachRow' });
    expect(await result.json()).to.deep.equal([
      { n: 0, s: '0' },
      { n: 1, s: '1' },
    ]);
  });

  it('returns valid Parquet', async () => {
    const file = await post('SELECT number AS n FROM numbers(200000) FORMAT Parquet');
    expect(file.headers.get('x-clickhouse-format')).to.equal('Parquet');
    const bytes = Buffer.from(await file.arrayBuffer());
    expect(bytes.subarray(0, 4).toString()).to.equal('PAR1');
    expect(bytes.subarray(-4).toString()).to.equal('PAR1');
    await post('CREATE TABLE parquet_back (n UInt64) ENGINE = Memory');
    const insert = await fetch(`${url}/?query=INSERT+INTO+parquet_back+FORMAT+Parquet`, {
      method: 'POST',
      body: bytes,
    });
    expect(insert.status).to.equal(200);
    expect(await value('SELECT sum(n) FROM parquet_back')).to.equal(19_999_900_000);
  });

  it('takes the format from the clause, then default_format, then TabSeparated', async () => {
    const formats = await Promise.all(
      [
        post('SELECT 1 FORMAT CSV', 'default_format=JSONEachRow'),
        post("SELECT 'FORMAT CSV' AS format", 'default_format=JSONEachRow'),
        post('SELECT 1 -- FORMAT CSV'),
      ].map(async (response) => (await response).headers.get('x-clickhouse-format')),
    );
    expect(formats).to.deep.equal(['CSV', 'JSONEachRow', 'TabSeparated']);
  });

  it('returns the code and type of an error', async () => {
    const error = await client.query({ query: 'SELECT * FROM no_such_table' }).then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(error).to.include({ code: '60', type: 'UNKNOWN_TABLE' });
  });

  const errorCases: [why: string, body: string, search: string, status: number, code: number][] = [
    ['an unknown table', 'SELECT * FROM no_such_table', '', 404, 60],
    ['an unknown database', 'SELECT 1', 'database=nowhere', 404, 81],
    ['an unknown setting', 'SELECT 1', 'no_such_setting=1', 404, 115],
    ['an invalid setting name', 'SELECT 1', 'a%3D1,b=1', 404, 115],
    ['a syntax error', 'SELEC 1', '', 400, 62],
    ['an incomplete SELECT', 'SELECT 1 FROM', '', 400, 62],
    ['a SELECT nested too deep', `SELECT ${'('.repeat(5000)}1${')'.repeat(5000)}`, '', 500, 306],
    ['a type error', "SELECT 1 + 'a'", '', 500, 43],
    ['two statements', 'SELECT 1; SELECT 2', '', 400, 62],
    ['no statement', ' -- nothing', '', 400, 62],
    ['a query over the time limit', 'SELECT sleep(3)', 'max_execution_time=1', 408, 159],
    [
      'a result over the row limit',
      'SELECT number FROM numbers(100)',
      'max_result_rows=10',
      500,
      396,
    ],
    ['a change under readonly', 'CREATE TABLE x (a Int8) ENGINE = Memory', 'readonly=1', 500, 164],
    ['a setting for a session', 'SET max_threads = 1', 'session_id=a', 501, 48],
    ['a database for a session', '/* */ USE system', 'session_id=a', 501, 48],
    ['a table of a session', 'CREATE TEMPORARY TABLE t (a Int8)', 'session_id=a', 501, 48],
    ['an expired session', 'SELECT 1', 'session_id=a&session_check=1', 500, 372],
  ];
  for (const [why, body, search, status, code] of errorCases) {
    it(`returns ${status} and code ${code} for ${why}`, async () => {
      const response = await post(body, search);
      expect(response.status).to.equal(status);
      expect(response.headers.get('x-clickhouse-exception-code')).to.equal(String(code));
      expect(await response.text()).to.match(
        new RegExp(
          `^Code: ${code}\\. DB::Exception: .+ \\([A-Z_]+\\) \\(version [\\d.]+\\)\\n$`,
          's',
        ),
      );
    });
  }

  it('does not keep settings, parameters and databases for the next request', async () => {
    await client.command({ query: 'CREATE DATABASE IF NOT EXISTS elsewhere' });
    const given = await post(
      "SELECT currentDatabase(), getSetting('max_result_rows')",
      'database=elsewhere&max_result_rows=77',
    );
    expect(await given.text()).to.equal('elsewhere\t77\n');
    const after = await post("SELECT currentDatabase(), getSetting('max_result_rows')");
    expect(await after.text()).to.equal('default\t0\n');
    expect(await (await post('SELECT {p:String}')).text()).to.match(/^Code: 456\./);
  });

  it('shares tables and dictionaries among requests', async () => {
    const statements = [
      'CREATE DATABASE shared',
      'CREATE TABLE shared.source (k UInt64, v String) ENGINE = MergeTree ORDER BY k',
      "INSERT INTO shared.source VALUES (1, 'old')",
      `CREATE DICTIONARY shared.lookup (k UInt64, v String) PRIMARY KEY k
        SOURCE(CLICKHOUSE(HOST '127.0.0.1' QUERY 'SELECT k, v FROM shared.source'))
        LAYOUT(HASHED()) LIFETIME(0)`,
    ];
    for (const query of statements) await client.command({ query });
    expect(await value("SELECT dictGet('shared.lookup', 'v', 1)")).to.equal('old');
    await client.command({
      query: "ALTER TABLE shared.source UPDATE v = 'new' WHERE 1 SETTINGS mutations_sync = 1",
    });
    await client.command({ query: 'SYSTEM RELOAD DICTIONARY shared.lookup' });
    expect(await value("SELECT dictGet('shared.lookup', 'v', 1)")).to.equal('new');
  });

  it('allows only reads with GET', async () => {
    const read = await fetch(`${url}/?query=SELECT+1+SETTINGS+max_threads=1`);
    expect(await read.text()).to.equal('1\n');
    const write = await fetch(`${url}/?query=CREATE+DATABASE+by_get`);
    expect(write.headers.get('x-clickhouse-exception-code')).to.equal('164');
  });

  it('returns the query id, or a generated one', async () => {
    const given = await post('SELECT 1', 'query_id=mine');
    expect(given.headers.get('x-clickhouse-query-id')).to.equal('mine');
    const made = await post('SELECT 1');
    expect(made.headers.get('x-clickhouse-query-id')).to.match(/^[0-9a-f-]{36}$/);
  });

  it('reports the rows read in the summary', async () => {
    const response = await post('SELECT sum(number) FROM numbers(1000)');
    const summary = JSON.parse(response.headers.get('x-clickhouse-summary') ?? '') as object;
    expect(summary).to.include({ read_rows: '1000', result_rows: '1' });
  });

  it('compresses on request', async () => {
    const gzip = { headers: { 'accept-encoding': 'gzip' }, method: 'POST', body: 'SELECT 1' };
    const compressed = await fetch(`${url}/?enable_http_compression=1`, gzip);
    expect(compressed.headers.get('content-encoding')).to.equal('gzip');
    expect(await compressed.text()).to.equal('1\n');
    const plain = await fetch(url, gzip);
    expect(plain.headers.get('content-encoding')).to.equal(null);
  });

  it('returns 404 for unknown paths', async () => {
    expect(await (await fetch(`${url}/ping`)).text()).to.equal('Ok.\n');
    expect(await (await fetch(`${url}/replicas_status`)).text()).to.equal('Ok.\n');
    expect((await fetch(`${url}/nowhere`)).status).to.equal(404);
    expect((await fetch(`${url}//`)).status).to.equal(404);
    expect((await fetch(url, { method: 'PUT', body: 'SELECT 1' })).status).to.equal(405);
  });
});
