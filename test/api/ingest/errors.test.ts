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
import { localStack } from '../../support/local-stack.ts';
import { startServiceProcess, type ServiceProcess } from '../../support/service-process.ts';
import { newTenantToken } from '../../support/tenant.ts';
import { zstdFrame } from '../../support/zstd-frame.ts';

const csv = { 'content-type': 'text/csv' };
const json = { 'content-type': 'application/json' };

describe('POST /results/{test} stores nothing and returns', () => {
  const good = () => ndjson(result(1, 1));

  interface Case {
    readonly name: string;
    readonly path?: string;
    readonly body: string | Uint8Array<ArrayBuffer>;
    readonly headers?: Record<string, string>;
    readonly expected: readonly [number, string, string | RegExp];
  }

  const gzip = { 'content-encoding': 'gzip' };
  const zstd = { 'content-encoding': 'zstd' };
  const compressed = new Uint8Array(gzipSync(good()));
  const cases: readonly Case[] = [
    {
      name: 'an unknown test',
      path: '/results/htpget',
      body: good(),
      expected: [404, 'NOT_FOUND', /^There is no test "htpget". Tests: httpget, /],
    },
    {
      name: 'an unknown parameter',
      path: '/results/httpget?atomc=true',
      body: good(),
      expected: [422, 'VALIDATION_FAIL', 'Validation failed'],
    },
    {
      name: 'a parameter that is not true or false',
      path: '/results/httpget?atomic=1',
      body: good(),
      expected: [422, 'VALIDATION_FAIL', 'Validation failed'],
    },
    {
      name: 'another content type',
      body: good(),
      headers: { 'content-type': 'application/xml' },
      expected: [415, 'UNSUPPORTED_MEDIA_TYPE', /^Content-Type must be one of text\/csv, /],
    },
    {
      name: 'another charset',
      body: good(),
      headers: { 'content-type': 'text/csv; charset=latin1' },
      expected: [415, 'UNSUPPORTED_MEDIA_TYPE', /utf-8$/],
    },
    {
      name: 'another encoding',
      body: good(),
      headers: { 'content-encoding': 'br' },
      expected: [415, 'UNSUPPORTED_MEDIA_TYPE', 'Content-Encoding must be gzip, zstd or identity'],
    },
    {
      name: 'a body that is not gzip',
      body: good(),
      headers: gzip,
      expected: [400, 'BAD_REQUEST', /gzip: the data is damaged$/],
    },
    {
      name: 'gzip that is cut short',
      body: compressed.slice(0, -12),
      headers: gzip,
      expected: [400, 'BAD_REQUEST', /gzip: the data is cut short$/],
    },
    {
      name: 'a body that is not zstd',
      body: good(),
      headers: zstd,
      expected: [400, 'BAD_REQUEST', /Content-Encoding: zstd/],
    },
    {
      name: 'zstd that is cut short',
      body: new Uint8Array(zstdFrame(Buffer.from(good())).subarray(0, -5)),
      headers: zstd,
      expected: [400, 'BAD_REQUEST', /zstd: the zstd data is cut short$/],
    },
    {
      name: 'an object instead of an array',
      body: '{"unit_id": 7}',
      headers: json,
      expected: [400, 'BAD_REQUEST', /it does not begin with \[$/],
    },
    {
      name: 'an array that is cut off',
      body: JSON.stringify([result(1, 1)]).slice(0, -1),
      headers: json,
      expected: [400, 'BAD_REQUEST', /the closing ] is missing$/],
    },
    {
      name: 'text after an array',
      body: `${JSON.stringify([result(1, 1)])}]`,
      headers: json,
      expected: [400, 'BAD_REQUEST', /there is text after the closing ]$/],
    },
    {
      name: 'an empty CSV body',
      body: '',
      headers: csv,
      expected: [422, 'VALIDATION_FAIL', 'Validation failed'],
    },
    {
      name: 'CSV with unknown columns',
      body: 'unit_id,dtime,speed\n7,2026-11-15 00:00:00,1\n',
      headers: csv,
      expected: [422, 'VALIDATION_FAIL', 'Validation failed'],
    },
    {
      name: 'CSV without a time',
      body: 'unit_id,bytes_sec\n7,1\n',
      headers: csv,
      expected: [422, 'VALIDATION_FAIL', 'Validation failed'],
    },
    {
      name: 'only invalid rows',
      body: ndjson({ ...result(1, 1), bytes_sec: 1.5e30 }),
      expected: [422, 'VALIDATION_FAIL', '1 row is invalid. Nothing was stored.'],
    },
    {
      name: 'one invalid row of an atomic request',
      path: '/results/httpget?atomic=true',
      body: ndjson(result(1, 1), result(2, 'x')),
      expected: [422, 'VALIDATION_FAIL', '1 row is invalid. Nothing was stored.'],
    },
    {
      name: 'a key with spaces',
      body: good(),
      headers: { 'idempotency-key': 'a b' },
      expected: [422, 'VALIDATION_FAIL', 'Validation failed'],
    },
  ];
  for (const { name, path = '/results/httpget', body, headers, expected } of cases) {
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

  it('403 without a token, for a token of the metadata interface, and without the scope', async () => {
    const tenant = await ingestTenant();
    const { ingestUrl, database } = await localStack();
    const readOnly = await newTenantToken(database, tenant.organisationId, 'data', {
      scopes: ['data:read'],
    });
    const send = (token: string) => postResults(ingestUrl, token, '/results/httpget', good());
    const codes: string[] = [];
    for (const token of ['npd_none', tenant.metadataToken, readOnly]) {
      const { status, body } = await send(token);
      expect(status).to.equal(403);
      codes.push(body.code);
    }
    expect(codes).to.deep.equal(['ACCESS_DENIED', 'ACCESS_DENIED', 'INSUFFICIENT_SCOPE']);
    expect(await tenant.rows('httpget', 'bytes_sec')).to.deep.equal([]);
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
