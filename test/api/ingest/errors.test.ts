import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { requestErasure } from '../../../services/metadata/erasure/request-erasure.ts';
import {
  ingestTenant,
  type IngestReply,
  type PostBody,
  minutesAgo,
  ndjson,
  postResults,
  result,
} from '../../support/ingest-tenant.ts';
import { startServiceProcess, type ServiceProcess } from '../../support/service-process.ts';
import { zstdFrame } from '../../support/zstd-frame.ts';

const csv = { 'content-type': 'text/csv' };
const json = { 'content-type': 'application/json' };

describe('POST /results/{test} stores nothing and returns', () => {
  const good = () => ndjson(result(1, 1));

  interface Case {
    readonly name: string;
    readonly path?: string;
    readonly body?: string | Uint8Array<ArrayBuffer>;
    readonly headers?: Record<string, string>;
    readonly expected: readonly [number, string, string | RegExp];
  }

  const invalid = [422, 'VALIDATION_FAIL', 'Validation failed'] as const;
  const noneStored = [422, 'VALIDATION_FAIL', '1 row is invalid. Nothing was stored.'] as const;
  const damaged = (reason: RegExp) => [400, 'BAD_REQUEST', reason] as const;
  const unsupported = (reason: string | RegExp) => [415, 'UNSUPPORTED_MEDIA_TYPE', reason] as const;
  const ofType = (type: string) => ({ headers: { 'content-type': type } });
  const encoded = (encoding: string) => ({ headers: { 'content-encoding': encoding } });
  const array = JSON.stringify([result(1, 1)]);
  const gzip = new Uint8Array(gzipSync(good()));
  const zstd = new Uint8Array(zstdFrame(Buffer.from(good())));
  const csvOf = (...lines: readonly string[]) => ({ body: lines.join('\n'), headers: csv });
  const cases: readonly Case[] = [
    {
      name: 'an unknown test',
      path: '/results/htpget',
      expected: [404, 'NOT_FOUND', /^There is no test "htpget". Tests: httpget, /],
    },
    { name: 'an unknown parameter', path: '/results/httpget?atomc=true', expected: invalid },
    {
      name: 'a parameter that is not true or false',
      path: '/results/httpget?atomic=1',
      expected: invalid,
    },
    {
      name: 'another content type',
      ...ofType('application/xml'),
      expected: unsupported(/^Content-Type must be one of text\/csv, /),
    },
    {
      name: 'another charset',
      ...ofType('text/csv; charset=latin1'),
      expected: unsupported(/utf-8$/),
    },
    {
      name: 'another encoding',
      ...encoded('br'),
      expected: unsupported('Content-Encoding must be gzip, zstd or identity'),
    },
    {
      name: 'a body that is not gzip',
      ...encoded('gzip'),
      expected: damaged(/gzip: the data is damaged$/),
    },
    {
      name: 'gzip that is cut short',
      ...{ body: gzip.slice(0, -12), ...encoded('gzip') },
      expected: damaged(/gzip: the data is cut short$/),
    },
    {
      name: 'a body that is not zstd',
      ...encoded('zstd'),
      expected: damaged(/Content-Encoding: zstd/),
    },
    {
      name: 'zstd that is cut short',
      ...{ body: zstd.slice(0, -5), ...encoded('zstd') },
      expected: damaged(/zstd: the zstd data is cut short$/),
    },
    {
      name: 'an object instead of an array',
      ...{ body: '{"unit_id": 7}', headers: json },
      expected: damaged(/it does not begin with \[$/),
    },
    {
      name: 'an array that is cut off',
      ...{ body: array.slice(0, -1), headers: json },
      expected: damaged(/the closing ] is missing$/),
    },
    {
      name: 'text after an array',
      ...{ body: `${array}]`, headers: json },
      expected: damaged(/there is text after the closing ]$/),
    },
    { name: 'an empty CSV body', ...csvOf(), expected: invalid },
    {
      name: 'CSV with unknown columns',
      ...csvOf('unit_id,dtime,speed', '7,2026-11-15 00:00:00,1', ''),
      expected: invalid,
    },
    { name: 'CSV without a time', ...csvOf('unit_id,bytes_sec', '7,1', ''), expected: invalid },
    {
      name: 'only invalid rows',
      body: ndjson({ ...result(1, 1), bytes_sec: 1.5e30 }),
      expected: noneStored,
    },
    {
      name: 'one invalid row of an atomic request',
      path: '/results/httpget?atomic=true',
      body: ndjson(result(1, 1), result(2, 'x')),
      expected: noneStored,
    },
    { name: 'a key with spaces', headers: { 'idempotency-key': 'a b' }, expected: invalid },
  ];
  for (const { name, path = '/results/httpget', body = good(), headers, expected } of cases) {
    it(`${expected[0]} for ${name}`, async () => {
      const tenant = await ingestTenant();
      const reply = await tenant.post(path, body, headers);
      expect([reply.status, reply.body.code]).to.deep.equal(expected.slice(0, 2));
      const [, , message] = expected;
      if (typeof message === 'string') expect(reply.body.message).to.equal(message);
      else expect(reply.body.message).to.match(message);
      expect(await tenant.rows('httpget', 'bytes_sec')).to.deep.equal([]);
    });
  }

  it('422 with the columns that are unknown, duplicate or missing', async () => {
    const tenant = await ingestTenant();
    const { body } = await tenant.post('/results/httpget', 'speed,dtime,dtime\n1,2,3\n', csv);
    const { columns = [] } = body.errors as { columns?: string[] };
    expect(columns).to.have.length(1);
    expect(columns[0]).to.match(
      /^missing column: unit_id \(or agent_id\); unknown column: speed; duplicate column: dtime; the columns of the test are .*unit_id, .*bytes_sec, [^;]*\.$/,
    );
  });

  it('422 with the row, column, rule and value', async () => {
    const tenant = await ingestTenant();
    const { body } = await tenant.post(
      '/results/httpget?atomic=true',
      ndjson(result(1, 1), result(2, 'x')),
    );
    expect(body.errors).to.deep.equal({
      'rows[2][bytes_sec]': [
        'bytes_sec must be a whole number from -9223372036854775808 to 9223372036854775807, not "x"',
      ],
    });
  });

  it('a reject for an agent of another organisation, as if it did not exist', async () => {
    const [owner, other] = [await ingestTenant(), await ingestTenant()];
    await other.database('agents').where({ id: other.agentKey }).delete();
    const { status, body } = await other.post('/results/httpget', good());
    expect(status).to.equal(422);
    expect(Object.values(body.errors ?? {})).to.deep.equal([['unit 7 is not registered']]);
    expect(await owner.rows('httpget', 'bytes_sec')).to.deep.equal([]);
  });

  it('a reject for an erased agent, from the moment its erasure is requested', async () => {
    const tenant = await ingestTenant();
    const { database, organisationId } = tenant;
    await requestErasure(database, { organisationId, tokenId: null, field: 'unit', values: ['7'] });
    const { status, body } = await tenant.post('/results/httpget', good());
    expect(status).to.equal(422);
    expect(JSON.stringify(body.errors)).to.contain('unit 7 was erased on ');
  });
});

describe('the limits and settings of the ingestion service', () => {
  let service: ServiceProcess;
  const sent = (
    tenant: { token: string },
    path: string,
    body: PostBody,
    headers = {},
  ): Promise<IngestReply> => postResults(service.url, tenant.token, path, body, headers);

  before(async () => {
    service = await startServiceProcess('ingest', {
      INGEST_MAX_BODY_BYTES: '20000',
      INGEST_MAX_DECODED_BYTES: '100000',
      INGEST_MAX_LISTED_REJECTS: '2',
      INGEST_MAX_LINES: '2000',
      INGEST_MAX_REJECTED: '3',
      INGEST_UNKNOWN_AGENTS: 'register',
    });
  });
  after(async () => {
    await service.kill('SIGTERM');
  });

  it('return 413 for a body that is too large, as sent or after decompression', async () => {
    const tenant = await ingestTenant();
    const rows = ndjson(...Array.from({ length: 2000 }, () => result(1, 1)));
    const gzip = { 'content-encoding': 'gzip' };
    const plain = await sent(tenant, '/results/httpget', rows);
    const decoded = await sent(tenant, '/results/httpget', new Uint8Array(gzipSync(rows)), gzip);
    expect([plain.status, plain.body.message, decoded.status, decoded.body.message]).to.deep.equal([
      413,
      'The request body is larger than 20000 bytes. Send several smaller requests.',
      413,
      'The decompressed request body is larger than 100000 bytes. Send several smaller requests.',
    ]);
    expect(await tenant.rows('httpget', 'bytes_sec')).to.deep.equal([]);
  });

  it('accept as many lines as allowed, and return 413 with the limit for one more', async () => {
    const tenant = await ingestTenant();
    const row = { unit_id: 7, dtime: minutesAgo(1) };
    const bodies = (lines: number): readonly [string, string][] => [
      ['application/x-ndjson', ndjson(row) + '\n'.repeat(lines - 1)],
      ['text/csv', `unit_id,dtime\n7,${row.dtime}\n${'\n'.repeat(lines - 1)}`],
      ['application/json', JSON.stringify(Array.from({ length: lines }, () => row))],
    ];
    for (const [lines, status] of [
      [2000, 200],
      [2001, 413],
    ] as const) {
      for (const [type, body] of bodies(lines)) {
        const bytes = new Uint8Array(gzipSync(body));
        const headers = { 'content-type': type, 'content-encoding': 'gzip' };
        const reply = await sent(tenant, '/results/jitter', bytes, headers);
        expect([type, reply.status]).to.deep.equal([type, status]);
        if (status === 413)
          expect(reply.body.message).to.equal(
            'The request body has more than 2000 lines, the maximum (INGEST_MAX_LINES). Nothing was stored. Send several smaller requests.',
          );
      }
    }
  });

  it('store nothing of a request with one rejected row too many, and its valid rows otherwise', async () => {
    const tenant = await ingestTenant();
    const bad = [1, 2, 3, 4].map((minutes) => result(minutes, 'x'));
    const refused = await sent(tenant, '/results/httpget', ndjson(result(5, 1), ...bad));
    expect([refused.status, refused.body.message]).to.deep.equal([
      422,
      'More than 3 rows are invalid, the maximum (INGEST_MAX_REJECTED). Nothing was stored. The first 2 are listed.',
    ]);
    expect(await tenant.rows('httpget', 'bytes_sec')).to.deep.equal([]);
    const stored = await sent(tenant, '/results/httpget', ndjson(result(5, 1), ...bad.slice(1)));
    expect(stored.body.data).to.deep.include({ stored: 1, rejected: 3 });
  });

  it('list the first rejected rows and count all', async () => {
    const tenant = await ingestTenant();
    const bad = [1, 2, 3].map((minutes) => result(minutes, 'x'));
    const { body } = await sent(tenant, '/results/httpget', ndjson(result(4, 1), ...bad));
    expect(body.data).to.deep.include({ rows: 4, stored: 1, rejected: 3 });
    expect(body.data!.rejects.map(({ row }) => row)).to.deep.equal([2, 3]);
    const all = await sent(tenant, '/results/httpget', ndjson(...bad));
    expect(all.body.message).to.equal(
      '3 rows are invalid. Nothing was stored. The first 2 are listed.',
    );
  });

  it('register unknown agents with their results, but not those of a failed atomic request', async () => {
    const tenant = await ingestTenant();
    const row = { ...result(1, 1), unit_id: 9, agent_id: 'box-9' };
    const agents = () =>
      tenant
        .database('agents')
        .where({ organisation_id: tenant.organisationId })
        .orderBy('agent_id')
        .select<{ agent_id: string; unit_id: number }[]>('agent_id', 'unit_id');
    const failed = await sent(
      tenant,
      '/results/httpget?atomic=true',
      ndjson(row, { ...row, bytes_sec: 'x' }),
    );
    expect([failed.status, await agents()]).to.deep.equal([
      422,
      [{ agent_id: 'box-7', unit_id: 7 }],
    ]);
    const { body } = await sent(
      tenant,
      '/results/httpget',
      ndjson(row, { ...row, dtime: '2011-01-01 00:00:00' }),
    );
    expect(body.data).to.deep.include({ stored: 1, rejected: 1, agentsRegistered: 1 });
    expect(await agents()).to.deep.equal([
      { agent_id: 'box-7', unit_id: 7 },
      { agent_id: 'box-9', unit_id: 9 },
    ]);
    expect(await tenant.rows('httpget', 'agent_id, unit_id')).to.deep.equal([
      { agent_id: 'box-9', unit_id: 9 },
    ]);
  });
});
