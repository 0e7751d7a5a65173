import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { ingestTenant, minutesAgo, ndjson, result } from '../../support/ingest-tenant.ts';
import { zstdFrame } from '../../support/zstd-frame.ts';

describe('POST /results/{test} returns 200', () => {
  const stored = {
    rows: 2,
    stored: 2,
    duplicates: 0,
    rejected: 0,
    agentsRegistered: 0,
    rejects: [],
  };

  it('when ClickHouse has the rows, in every format', async () => {
    const bodies = (first: object, second: object): readonly (readonly [string, string])[] => [
      ['application/x-ndjson', ndjson(first, second)],
      ['application/json', JSON.stringify([first, second], undefined, 1)],
      [
        'text/csv; charset=utf-8',
        [first, second]
          .map((row) => `${Object.values(row).join(';')}\r\n`)
          .join('')
          .replace(/^/, `${Object.keys(first).join(';')}\r\n`),
      ],
    ];
    for (const place of [0, 1, 2]) {
      const tenant = await ingestTenant();
      const [type, body] = bodies(result(2, 1000), result(1, 2000))[place]!;
      const reply = await tenant.post('/results/httpget', body, { 'content-type': type });
      expect(reply.body, type).to.deep.equal({
        code: 'OK',
        message: 'The request was successful',
        data: stored,
      });
      expect(
        await tenant.rows('httpget', 'agent_key, agent_id, unit_id, bytes_sec, target'),
      ).to.deep.equal([
        {
          agent_key: tenant.agentKey,
          agent_id: 'box-7',
          unit_id: 7,
          bytes_sec: 1000,
          target: 'a',
        },
        {
          agent_key: tenant.agentKey,
          agent_id: 'box-7',
          unit_id: 7,
          bytes_sec: 2000,
          target: 'a',
        },
      ]);
    }
  });

  it('for compressed bodies', async () => {
    const tenant = await ingestTenant();
    const text = ndjson(result(2, 1), result(1, 2));
    for (const [encoding, body] of [
      ['gzip', gzipSync(text)],
      ['zstd', zstdFrame(Buffer.from(text))],
    ] as const) {
      const reply = await tenant.post('/results/httpget', new Uint8Array(body), {
        'content-encoding': encoding,
      });
      expect(reply.body.data, encoding).to.deep.equal(stored);
    }
    expect(await tenant.rows('httpget', 'bytes_sec')).to.deep.equal([
      { bytes_sec: 1 },
      { bytes_sec: 2 },
    ]);
  });

  it('with the rejected rows and their reasons, and stores the others', async () => {
    const tenant = await ingestTenant();
    const future = minutesAgo(-60);
    const old = '2011-01-01 00:00:00';
    const body = `${ndjson(
      result(1, 5),
      { ...result(2, 5), bytes_sec: 'fast' },
      { ...result(3, 5), speed: 1 },
      { ...result(4, 5), dtime: future },
      { ...result(5, 5), dtime: old },
      { ...result(6, 5), unit_id: 8 },
      { ...result(7, 5), target: ['a'] },
      { ...result(8, 5), dtime: null },
    )}no json\n`;
    const { status, body: reply } = await tenant.post('/results/httpget', body);
    expect(status).to.equal(200);
    expect(reply.data).to.deep.include({ rows: 9, stored: 1, rejected: 8 });
    const reasons = reply.data!.rejects.map(({ row, reason }) => [
      row,
      reason.replace(/: the time is .*|: unit 7 accepts .*/, ''),
    ]);
    expect(reasons).to.deep.equal([
      [2, 'bytes_sec must be a whole number from -9223372036854775808 to 9223372036854775807'],
      [3, 'unknown column: speed'],
      [4, 'dtime is in the future'],
      [5, 'dtime is before the agent existed'],
      [6, 'unit 8 is not registered'],
      [7, 'target must be text, a number, true or false'],
      [8, 'dtime must be a UTC time such as 2026-11-15 18:30:00'],
      [9, `not JSON: ${notJson()}`],
    ]);
    expect(await tenant.rows('httpget', 'bytes_sec')).to.deep.equal([{ bytes_sec: 5 }]);
  });

  it('with masked values as words of columns; other words are rejected', async () => {
    const tenant = await ingestTenant();
    const masked = (period: string, words: string) => ({
      unit_id: 7,
      dtime: minutesAgo(Number(period)),
      period_end: '2026-01-31',
      download_mean: 5,
      masked: words,
    });
    const body = ndjson(
      masked('5', 'busy_download_mean:above download_mean:above'),
      masked('6', 'download_mean:over'),
      masked('7', 'unit_id:above'),
    );
    const { body: reply } = await tenant.post('/results/panel', body);
    expect(reply.data).to.deep.include({ rows: 3, stored: 1, rejected: 2 });
    const reason =
      'masked must be words such as download_mean:above or latency_mean:below, each column once';
    expect(reply.data!.rejects.map((rejected) => rejected.reason)).to.deep.equal([reason, reason]);
    expect(await tenant.rows('panel', 'masked')).to.deep.equal([
      { masked: 'busy_download_mean:above download_mean:above' },
    ]);
  });

  it('keeps the first result received, unless a later one replaces it', async () => {
    const tenant = await ingestTenant();
    const [first, second, third] = [result(1, 1), result(1, 2), result(1, 3)].map(
      (row, i, all) => ({
        ...row,
        dtime: all[0]!.dtime,
        bytes_sec: i + 1,
      }),
    );
    const stored = () => tenant.rows('httpget', 'bytes_sec');
    await tenant.post('/results/httpget', ndjson(first!));
    await tenant.post('/results/httpget', ndjson(second!));
    expect(await stored()).to.deep.equal([{ bytes_sec: 1 }]);
    for (const row of [second!, third!]) {
      const { status } = await tenant.post('/results/httpget?replace=true', ndjson(row));
      expect(status).to.equal(200);
      expect(await stored()).to.deep.equal([{ bytes_sec: row.bytes_sec }]);
    }
    await tenant.post('/results/httpget', ndjson(first!));
    expect(await stored()).to.deep.equal([{ bytes_sec: 3 }]);
    const events = await tenant
      .database('audit_events')
      .where({ organisation_id: tenant.organisationId, action: 'results.replace' })
      .select<{ target: string; details: object }[]>('target', 'details');
    expect(events).to.deep.equal([
      { target: 'test httpget', details: { rows: 1 } },
      { target: 'test httpget', details: { rows: 1 } },
    ]);
  });

  it('for an empty array, and counts duplicates within a request', async () => {
    const tenant = await ingestTenant();
    const empty = await tenant.post('/results/ping', '[]', { 'content-type': 'application/json' });
    expect(empty.body.data).to.deep.include({ rows: 0, stored: 0 });
    const row = result(1, 1);
    const twice = await tenant.post('/results/httpget', ndjson(row, row));
    expect(twice.body.data).to.deep.include({ rows: 2, stored: 2, duplicates: 1 });
    expect(await tenant.rows('httpget', 'bytes_sec')).to.have.length(1);
  });

  it('again with the same response for the same Idempotency-Key', async () => {
    const tenant = await ingestTenant();
    const body = ndjson(result(1, 1), { ...result(2, 1), bytes_sec: 'x' });
    const headers = { 'idempotency-key': 'a-1' };
    const first = await tenant.post('/results/httpget', body, headers);
    const again = await tenant.post('/results/httpget', body, headers);
    expect(again.body).to.deep.equal(first.body);
    expect([first, again].map((reply) => reply.headers.get('idempotency-replayed'))).to.deep.equal([
      'false',
      'true',
    ]);
    const rowCount = await tenant.clickhouse.query({
      query: 'SELECT count() AS n FROM test_httpget WHERE organisation_id = {id:UInt32}',
      query_params: { id: tenant.organisationId },
    });
    expect((await rowCount.json<{ n: number }>()).data).to.deep.equal([{ n: 1 }]);
    const other = await tenant.post('/results/httpget', ndjson(result(3, 1)), headers);
    expect([other.status, Object.keys(other.body.errors ?? {})]).to.deep.equal([
      422,
      ['Idempotency-Key'],
    ]);
    const otherTenant = await ingestTenant();
    const same = await otherTenant.post('/results/httpget', body, headers);
    expect(same.headers.get('idempotency-replayed')).to.equal('false');
  });

  it('anew after 24 hours, when an Idempotency-Key has expired', async () => {
    const tenant = await ingestTenant();
    const headers = { 'idempotency-key': 'a-1' };
    const [first, second] = [1, 2].map((minutes) => ndjson(result(minutes, 1)));
    const send = async (body = '') => {
      const reply = await tenant.post('/results/httpget', body, headers);
      return [reply.status, reply.headers.get('idempotency-replayed')];
    };
    const age = (hours: number) =>
      tenant.database.raw(
        `update ingest_requests set stored_at = now() - ? * interval '1 hour' where organisation_id = ?`,
        [hours, tenant.organisationId],
      );
    expect(await send(first)).to.deep.equal([200, 'false']);
    await age(23.99);
    expect(await send(first)).to.deep.equal([200, 'true']);
    await age(24.01);
    expect(await send(second)).to.deep.equal([200, 'false']);
    // The new response has replaced the expired one.
    expect(await send(second)).to.deep.equal([200, 'true']);
    expect(await send(first)).to.deep.equal([422, null]);
  });
});

function notJson(): string {
  try {
    JSON.parse('no json');
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}
