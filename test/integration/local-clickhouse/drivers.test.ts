import { createHash } from 'node:crypto';
import { brotliCompressSync, deflateSync } from 'node:zlib';
import { expect } from 'chai';
import {
  clickHouseBlocks,
  unpackClickHouseBlocks,
} from '../../../deploy/local/clickhouse/compression/clickhouse-blocks.ts';
import { unpackLz4Frames } from '../../../deploy/local/clickhouse/compression/lz4-frames.ts';
import { localClickHouse } from '../../support/local-clickhouse.ts';
import { zstdFrame } from '../../support/zstd-frame.ts';

// Requests of drivers other than @clickhouse/client, recorded on the wire. docs/proof.md lists the
// tested drivers.

const csv = `1,${'a'.repeat(300)}\n2,${'bc'.repeat(10)}\n`;
/** The same, compressed by the Python packages lz4 and clickhouse-cityhash. */
const compressed = {
  block:
    '6ca351120fab5859ccebc9c24c4e5aa7821f000000460100003f312c610100ff195a0a322c6263020050626362630a',
  frame:
    '04224d186c40460100000000000029160000003f312c610100ff195a0a322c6263020050626362630a0000000087f052b2',
};
const limitBytes = 1024 ** 3;

describe('the local ClickHouse server: other drivers', () => {
  let url: string;
  before(async () => {
    ({ url } = await localClickHouse());
  });

  const post = (search: string, body: string | Uint8Array | FormData, headers = {}) =>
    fetch(`${url}/?${search}`, { method: 'POST', body, headers });
  const bytes = async (response: Response) => Buffer.from(await response.arrayBuffer());

  describe('JDBC', () => {
    const headers = { 'x-clickhouse-format': 'CSV', authorization: 'Basic ZGVmYXVsdDo=' };
    const query = 'SELECT number, sipHash64(number) FROM numbers(300000)';

    it('reads a result of any size in blocks with checksums (compress=1)', async () => {
      const plain = await (await post('', query, headers)).text();
      const blocks = await bytes(await post('compress=1&wait_end_of_query=0', query, headers));
      expect(sha256(unpackClickHouseBlocks(blocks, limitBytes))).to.equal(sha256(plain));
      const empty = await post('compress=1', 'SELECT 1 WHERE 0', headers);
      expect(await bytes(empty)).to.have.length(0);
    });

    it('reads an error as plain text, also with compress=1', async () => {
      const response = await post('compress=1', 'SELECT nope', headers);
      expect(response.headers.get('x-clickhouse-exception-code')).to.equal('47');
      expect(await response.text()).to.match(/^Code: 47\./);
    });

    it('reads LZ4 frames (enable_http_compression=1), also of an empty result', async () => {
      const lz4 = { ...headers, 'accept-encoding': 'lz4' };
      const plain = await (await post('', query, headers)).text();
      const response = await post('enable_http_compression=1', query, lz4);
      expect(response.headers.get('content-encoding')).to.equal('lz4');
      expect(sha256(unpackLz4Frames(await bytes(response), limitBytes))).to.equal(sha256(plain));
      const empty = await post('enable_http_compression=1', 'SELECT 1 WHERE 0', lz4);
      expect(unpackLz4Frames(await bytes(empty), limitBytes)).to.have.length(0);
    });

    it('inserts in blocks with checksums (decompress=1)', async () => {
      expect(await inserted('decompress=1&', Buffer.from(compressed.block, 'hex'))).to.equal(csv);
    });

    it('gets an error for a block with a wrong checksum', async () => {
      const broken = Buffer.from(compressed.block, 'hex');
      broken[26] = 0;
      const response = await post('decompress=1&query=SELECT', broken);
      expect(await response.text()).to.match(/^Code: 271\..*checksum/);
    });
  });

  describe('clickhouse-connect', () => {
    it('sends a session id with every query', async () => {
      const session =
        'session_id=7a1e&session_timeout=60&cancel_http_readonly_queries_on_client_close=1';
      expect(await (await post(session, 'SELECT 1')).text()).to.equal('1\n');
    });

    it('gets the oldest revision of the Native format', async () => {
      const response = await post(
        'client_protocol_version=54405',
        'SELECT 1 AS check\n FORMAT Native',
      );
      expect((await bytes(response)).toString('latin1')).to.equal('\x01\x01\x05check\x05UInt8\x01');
    });

    const encoded = {
      lz4: Buffer.from(compressed.frame, 'hex'),
      br: brotliCompressSync(csv),
      deflate: deflateSync(csv),
      zstd: zstdFrame(Buffer.from(csv)),
    };
    for (const [encoding, body] of Object.entries(encoded)) {
      it(`inserts with Content-Encoding: ${encoding}`, async () => {
        expect(await inserted('', body, { 'content-encoding': encoding })).to.equal(csv);
      });
    }

    it('gets an error for zstd that is cut short', async () => {
      const cut = zstdFrame(Buffer.from(csv)).subarray(0, -5);
      const response = await post('query=SELECT', cut, { 'content-encoding': 'zstd' });
      expect(await response.text()).to.match(/^Code: 271\..*cut short/);
    });

    it('gets an error for a body that is not valid LZ4', async () => {
      const response = await post('', 'SELECT 1', { 'content-encoding': 'lz4' });
      expect(await response.text()).to.match(/^Code: 271\..*LZ4/);
    });

    it('sends parameters as a form', async () => {
      const form = new FormData();
      form.set('query', 'SELECT {a:String}, {b:UInt8}');
      form.set('param_a', "it's é");
      const response = await post('param_b=3', form);
      expect(await response.text()).to.equal("it\\'s é\t3\n");
    });

    it('sends parameters that are longer together than a query may be', async () => {
      const form = new FormData();
      form.set('query', 'SELECT length({a:String}) + length({b:String}) + length({c:String})');
      for (const name of ['a', 'b', 'c']) form.set(`param_${name}`, name.repeat(100_000));
      const response = await post('max_threads=1', form);
      expect(await response.text()).to.equal('300000\n');
    });

    it('gets an error for external tables', async () => {
      const form = new FormData();
      form.set('query', 'SELECT * FROM t');
      form.set('t', new Blob(['1\n']), 't.tsv');
      const response = await post('t_structure=a+UInt8', form);
      expect(response.status).to.equal(501);
      expect(await response.text()).to.include('does not support external tables (the file t)');
    });
  });

  describe('clickhouse-go', () => {
    const native = async (columns: string, revision: number) => {
      const search = `client_protocol_version=${revision}&default_format=Native`;
      const sql = `SELECT ${columns} FROM numbers(3)`;
      return post(search, sql);
    };

    it('reads its revision of Native, with block info and a byte before the values of a column', async () => {
      const response = await bytes(await native('1 AS a', 54_460));
      expect(response.toString('hex')).to.equal('010002ffffffff00010301610555496e743800010101');
    });

    const values = {
      numbers:
        "number, toInt256(1), 1.5, toDecimal64(1, 2), toDecimal128(1, 3), true, toIPv6('::1')",
      texts:
        "toString(number), repeat('x', 200 * number), toFixedString('ab', 3), generateUUIDv4(0)",
      times:
        "toDate('2026-01-01'), toDateTime(0, 'UTC'), toDateTime64(0, 3, 'UTC'), toIntervalDay(1)",
      nested: "[[number, 1], []], map('a', [number]), tuple(number, 'a'), (1, [(2, 'b')])",
      'named tuples': "CAST((1, 'b'), 'Tuple(a UInt8, `b c` Nullable(String))')",
      nulls: "if(number = 1, NULL, number), [NULL, 'a'], NULL",
      dictionaries:
        "toLowCardinality(toString(number)), [toLowCardinality('a')], CAST([], 'Array(LowCardinality(Nullable(String)))'), CAST('a', 'LowCardinality(Nullable(String))')",
      enums: "CAST('a, (b', 'Enum8(\\'a, (b\\' = 1, \\'it\\\\\\'s\\' = 2)')",
    };
    for (const [kind, columns] of Object.entries(values)) {
      it(`reads columns of ${kind}`, async () => {
        const response = await native(columns, 54_460);
        expect(response.status, response.ok ? '' : await response.clone().text()).to.equal(200);
        const newer = await bytes(response);
        const plain = await bytes(await native(columns, 0));
        // Eight more bytes per block and one per column.
        const count = plain[0] ?? 0;
        expect(newer).to.have.length(plain.length + 8 + count);
        expect(newer.subarray(8, 10)).to.deep.equal(plain.subarray(0, 2));
      });
    }

    it('gets an error for unsupported types', async () => {
      const response = await native("CAST(number, 'Dynamic')", 54_460);
      expect(response.status).to.equal(501);
      expect(await response.text()).to.include('the type Dynamic in the format Native');
    });
  });

  describe('blocks with checksums', () => {
    it('are compatible with other programs', () => {
      const block = Buffer.from(compressed.block, 'hex');
      expect(Buffer.from(unpackClickHouseBlocks(block, limitBytes)).toString()).to.equal(csv);
      const frame = Buffer.from(compressed.frame, 'hex');
      expect(Buffer.from(unpackLz4Frames(frame, limitBytes)).toString()).to.equal(csv);
    });

    it('support data of any length', async () => {
      for (const length of [1, 14, 15, 16, 269, 270, 271, 65_535, 65_536, 65_537]) {
        const data = Buffer.alloc(length, 'abcdefg');
        const blocks = clickHouseBlocks();
        blocks.end(data);
        const sent = Buffer.concat((await blocks.toArray()) as Buffer[]);
        expect(Buffer.compare(unpackClickHouseBlocks(sent, limitBytes), data)).to.equal(0);
      }
    });

    it('are rejected over the size limit and when truncated', () => {
      const block = Buffer.from(compressed.block, 'hex');
      expect(() => unpackClickHouseBlocks(block, 100)).to.throw(RangeError);
      for (const length of [1, 24, 30, block.length - 1]) {
        expect(() => unpackClickHouseBlocks(block.subarray(0, length), limitBytes)).to.throw();
      }
    });
  });

  async function inserted(search: string, body: Uint8Array, headers = {}): Promise<string> {
    await post('', 'DROP TABLE IF EXISTS driven');
    await post('', 'CREATE TABLE driven (a Int32, s String) ENGINE = MergeTree ORDER BY a');
    const insert = encodeURIComponent('INSERT INTO driven FORMAT CSV');
    const response = await post(`${search}query=${insert}`, body, headers);
    expect(response.status, await response.text()).to.equal(200);
    return (await post('', "SELECT concat(a::String, ',', s) FROM driven ORDER BY a")).text();
  }
});

function sha256(data: string | Uint8Array): string {
  return createHash('sha256').update(data).digest('hex');
}
