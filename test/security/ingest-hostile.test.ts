import { gzipSync } from 'node:zlib';
import fc from 'fast-check';
import { expect } from 'chai';
import {
  type IngestTenant,
  ingestTenant,
  minutesAgo,
  ndjson,
  result,
} from '../support/ingest-tenant.ts';
import { localStack } from '../support/local-stack.ts';

const runs = Math.ceil(Number(process.env.FUZZ_RUNS ?? 300) / 3);
const seed = Number(process.env.FUZZ_SEED ?? 1);

describe('hostile requests to the ingestion service', () => {
  let tenant: IngestTenant;
  before(async () => {
    tenant = await ingestTenant();
  });
  // Whatever was sent, the service still works.
  afterEach(async () => {
    const { ingestOpsUrl } = await localStack();
    expect((await fetch(`${ingestOpsUrl}/readyz`)).status).to.equal(200);
    const reply = await tenant.post(
      '/results/jitter',
      ndjson({ unit_id: 7, dtime: result(1, 1).dtime, target: 'x' }),
    );
    expect(reply.status).to.equal(200);
  });

  const types = ['application/x-ndjson', 'application/json', 'text/csv'] as const;

  it('with random bytes, types and encodings never get 500', async () => {
    const request = fc.record({
      type: fc.constantFrom(...types),
      encoding: fc.constantFrom('identity', 'gzip', 'zstd'),
      isEncoded: fc.boolean(),
      body: fc.oneof(
        fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
        fc.json().map((text) => Buffer.from(text)),
        fc
          .array(
            fc.dictionary(
              fc.constantFrom('unit_id', 'dtime', 'bytes_sec', 'agent_id', '__proto__', 'x'),
              fc.jsonValue(),
            ),
          )
          .map((rows) => Buffer.from(JSON.stringify(rows))),
        fc
          .array(fc.string(), { maxLength: 5 })
          .map((cells) => Buffer.from(`unit_id,dtime\n${cells.join(',')}\n`)),
      ),
    });
    const statuses = new Map<number, number>();
    await fc.assert(
      fc.asyncProperty(request, async ({ type, encoding, isEncoded, body }) => {
        const sent = encoding === 'gzip' && isEncoded ? gzipSync(body) : body;
        const { status } = await tenant.post('/results/httpget', new Uint8Array(sent), {
          'content-type': type,
          'content-encoding': encoding,
        });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        return [200, 400, 422].includes(status);
      }),
      { numRuns: runs, seed },
    );
    expect([...statuses.keys()]).to.include.members([400, 422]);
  });

  const zstd = { 'content-encoding': 'zstd' };
  const gzip = { 'content-encoding': 'gzip' };
  const bytes = (...parts: readonly (number | Buffer)[]) =>
    new Uint8Array(
      Buffer.concat(parts.map((part) => (typeof part === 'number' ? Buffer.from([part]) : part))),
    );
  const magic = Buffer.from([0x28, 0xb5, 0x2f, 0xfd]);

  it('with a gzip bomb get 413', async () => {
    const bomb = gzipSync(Buffer.alloc(100 * 1024 ** 2, ' '));
    const { status } = await tenant.post('/results/httpget', new Uint8Array(bomb), gzip);
    expect(status).to.equal(413);
  });

  it('with a zstd window of 2 GiB, or frames that repeat one byte, get 400 or 413', async () => {
    // Frame header: no size, no checksum; window descriptor with exponent 21: 2 GiB.
    const large = bytes(magic, 0x00, 21 << 3, Buffer.from([1, 0, 0]));
    expect((await tenant.post('/results/httpget', large, zstd)).status).to.equal(400);
    // Blocks of type RLE with 128 KiB each, which take 4 bytes.
    const block = Buffer.alloc(4);
    block.writeUIntLE(((128 * 1024) << 3) | 2, 0, 3);
    block[3] = 0x20;
    const bomb = bytes(magic, 0x00, 0x38, Buffer.concat(Array<Buffer>(2_000).fill(block)));
    expect((await tenant.post('/results/httpget', bomb, zstd)).status).to.equal(413);
  });

  it('with deep nesting, long lines and many columns get a reject or 422', async () => {
    const deep = `{"unit_id":7,"target":${'['.repeat(100_000)}${']'.repeat(100_000)}}\n`;
    const long = `{"unit_id":7,"target":"${'x'.repeat(2 * 1024 ** 2)}"}\n`;
    const wide = `${Array.from({ length: 50_000 }, (_, i) => `c${i}`).join(',')}\n`;
    for (const body of [deep, long]) {
      expect((await tenant.post('/results/httpget', body)).status).to.equal(422);
    }
    expect(
      (await tenant.post('/results/httpget', wide, { 'content-type': 'text/csv' })).status,
    ).to.equal(422);
  });

  it('with a million invalid rows get the first of them and the name of the limit', async () => {
    for (const [type, row] of [
      ['application/x-ndjson', '1\n'],
      ['text/csv', ',,\n'],
    ] as const) {
      const rows = 1024 ** 2;
      const header = type === 'text/csv' ? 'unit_id,dtime,target\n' : '';
      const { status, body } = await tenant.post('/results/httpget', header + row.repeat(rows), {
        'content-type': type,
      });
      expect(status).to.equal(422);
      expect(body.message).to.equal(
        'More than 10000 rows are invalid, the maximum (INGEST_MAX_REJECTED). Nothing was stored. The first 100 are listed.',
      );
      expect(Object.keys(body.errors!)).to.have.length(100);
    }
  });

  it('with results of more than 100,000 agents get 413', async () => {
    const row = (unit: number) => `${unit},${minutesAgo(1)}\n`;
    const body = `unit_id,dtime\n${Array.from({ length: 100_001 }, (_, i) => row(i + 1e6)).join('')}`;
    const reply = await tenant.post('/results/jitter', body, { 'content-type': 'text/csv' });
    expect(reply.status).to.equal(413);
    expect(reply.body.message).to.include('more than 100000 agents');
  });

  it('with a prefix of another organisation or SQL in values are stored as text', async () => {
    const target = `x",1,2,3\\N'); DROP TABLE test_ping; --`;
    const row = { unit_id: 7, dtime: result(1, 1).dtime, target };
    expect((await tenant.post('/results/ping', ndjson(row))).status).to.equal(200);
    expect(await tenant.rows('ping', 'target, organisation_id')).to.deep.equal([
      { target, organisation_id: tenant.organisationId },
    ]);
  });
});
