import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text as readText } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { parseCsv } from '../../../services/results/csv/parse-csv.ts';
import { localStack, type LocalStack } from '../../support/local-stack.ts';
import { netpanel, spawnNetpanel } from '../../support/netpanel.ts';
import { newTenant, type Tenant } from '../../support/tenant.ts';

const csv = `unit_id,dtime,target,rtt_avg
1,2026-11-01 10:00:00,a,5
1,2026-11-01 11:00:00,b,6
2,2026-11-01 10:00:00,c,7
`;
const ndjson = `{"unit_id":1,"dtime":"2026-11-01T10:00:00Z","target":"a","rtt_avg":5}
{"unit_id":2,"dtime":"2026-11-01T10:00:00Z","target":"b","rtt_avg":6}
`;
// Of `csv` and `ndjson`, by the program zstd: Node compresses zstd only from version 22.15 on.
const csvZstd = Buffer.from(
  'KLUv/QRoHQIAwgMNEaDtkvxth/u/21p8ANm9cYMCWq6EkiceR1+zDHgDcyBixVnbRKc7vlmLqM+e6/XlTjsoAwQAV30FGevZ2VquDFCY/uQ=',
  'base64',
);
const ndjsonZstd = Buffer.from(
  'KLUv/QRoZQIAckQPE5DPAQISEHBAjKkfBBUaxOT4OQHgGkbALeevLtU9H75+3u7N1Q9P4wxGPASzMGSQn7sIuz3weYOqoaS3AQQAgJMAb0kwVwP3BC+ePu8=',
  'base64',
);
const fromCsv = ['1 10:00 a 5', '1 11:00 b 6', '2 10:00 c 7'];
const fromNdjson = ['1 10:00 a 5', '2 10:00 b 6'];

describe('netpanel load of CSV, NDJSON and Parquet', function () {
  this.timeout(300_000);
  let stack: LocalStack;
  let tenant: Tenant;
  let folder: string;

  before(async () => {
    stack = await localStack();
    folder = mkdtempSync(join(tmpdir(), 'netpanel-formats-'));
  });
  beforeEach(async () => {
    tenant = await newTenant(stack.database);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const file = (name: string, content: string | Buffer) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const args = (...more: readonly string[]) => [
    ...['load', '--org', tenant.name, '--test', 'latency', '--no-wait'],
    ...more,
  ];
  const load = (...more: readonly string[]) => netpanel(stack, ...args(...more));
  const query = async <T>(sql: string): Promise<T[]> =>
    (await stack.clickhouse.query({ query: sql, format: 'JSONEachRow' })).json<T>();
  const stored = async () => {
    const rows = await query<{ row: string }>(
      `SELECT concat(toString(unit_id), ' ', formatDateTime(dtime, '%H:%i'), ' ', target, ' ',
  toString(rtt_avg)) AS row
FROM test_latency FINAL WHERE organisation_id = ${tenant.organisationId} ORDER BY row`,
    );
    return rows.map(({ row }) => row);
  };
  const parquet = async (name: string, select: string, settings = '') => {
    const { stream } = await stack.clickhouse.exec({
      query: `${select} SETTINGS output_format_parquet_string_as_string = 1${settings} FORMAT Parquet`,
    });
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return file(name, Buffer.concat(chunks));
  };
  const rejectRows = (path: string) => parseCsv(readFileSync(`${path}.rejects.csv`, 'utf8'));

  const inputs: readonly (readonly [string, string | Buffer, readonly string[]])[] = [
    ['a.csv.gz', gzipSync(csv), fromCsv],
    ['a.csv.zst', csvZstd, fromCsv],
    ['no-extension', csvZstd, fromCsv],
    ['a.ndjson', ndjson, fromNdjson],
    ['a.jsonl.gz', gzipSync(ndjson), fromNdjson],
    ['a.ndjson.zst', ndjsonZstd, fromNdjson],
    ['detected', `\n  ${ndjson}`, fromNdjson],
    ['crlf.ndjson', `\ufeff${ndjson.replaceAll('\n', '\r\n')}`, fromNdjson],
    ['utf16.ndjson', Buffer.from(`\ufeff${ndjson}`, 'utf16le'), fromNdjson],
  ];
  for (const [name, content, expected] of inputs) {
    it(`${name} is loaded, and a second time nothing is added`, async () => {
      const path = file(name, content);
      const first = await load(path);
      expect(first.stdout + first.stderr).to.include(`${expected.length} rows loaded`);
      expect(await stored()).to.deep.equal(expected);
      expect((await load(path)).stdout).to.include(
        `0 rows loaded, ${expected.length} already there`,
      );
    });
  }

  for (const [name, content, expected] of [
    ['CSV', csv, fromCsv],
    ['NDJSON', ndjson, fromNdjson],
    ['zstd', ndjsonZstd, fromNdjson],
  ] as const) {
    it(`${name} is read from standard input`, async () => {
      const child = spawnNetpanel(stack, ...args('-'));
      child.stdin.end(content);
      const output = readText(child.stdout);
      expect(await output, await readText(child.stderr)).to.include('rows loaded');
      expect(await stored()).to.deep.equal(expected);
    });
  }

  it('Parquet from standard input is refused with the reason', async () => {
    const path = await parquet('stdin.parquet', 'SELECT 1 AS unit_id');
    const child = spawnNetpanel(stack, ...args('--rejects', folder, '-'));
    child.stdin.on('error', () => undefined).end(readFileSync(path));
    expect(await readText(child.stderr)).to.include(
      'Parquet cannot be read from standard input or a bucket: save it as a file',
    );
  });

  it('NDJSON: nested values, long numbers, unknown keys and bad lines', async () => {
    const path = file(
      'mixed.ndjson',
      [
        '{"unit_id":1,"dtime":"2026-11-01 10:00:00","client":{"Geo":{"City":"Oslo"}},"ns":9007199254740993,"x":[1]}',
        '{"unit_id":1,"dtime":',
        '',
        '[1,2]',
        '{"unit_id":3,"dtime":"2026-11-01 11:00:00","client":null,"ns":"12.0"}',
        '{"unit_id":4,"dtime":"never","ns":5}',
        '{"unit_id":5,"dtime":"2026-11-01 11:00:00","ns":"a lot"}',
        '{"unit_id":6,"dtime":"2026-11-01 11:00:00","client":{"Geo":{"City":"a\\nb"}}}',
        `{"unit_id":7,"target":"${'x'.repeat(1024 * 1024)}"}`,
        '{"unit_id":8,"dtime":"2026-11-01 12:00:00"}',
      ].join('\n'),
    );
    const maps = ['--map', 'target=client.Geo.City', '--map', 'rtt_std=ns/4503599627370496'];
    const { stdout } = await load(...maps, '--map', 'rtt_max=ns-9007199254740000', path);
    expect(stdout).to.include('9 rows read: 2 rows loaded, 7 rejected');
    expect(stdout).to.include('ignored columns: x');
    const [, ...rejected] = rejectRows(path);
    expect(rejected.map(([line, column, value]) => [line, column, value])).to.deep.equal([
      ['2', '', ''],
      ['4', '', ''],
      ['5', 'ns', '12.0'],
      ['6', 'dtime', 'never'],
      ['7', 'ns', 'a lot'],
      ['8', 'client.Geo.City', 'a\nb'],
      ['9', '', ''],
    ]);
    expect(rejected[0]?.[3]).to.match(/^not JSON: /);
    expect(rejected[0]?.[4]).to.equal('{"unit_id":1,"dtime":');
    expect(rejected[1]?.[3]).to.include('must be a JSON object');
    expect(rejected[2]?.[3]).to.equal(
      'rtt_max must be a whole number from 0 to 4294967295 (rtt_max = ns-9007199254740000)',
    );
    expect(rejected[3]?.[3]).to.include('dtime must be a UTC time');
    expect(rejected[3]?.[4]).to.equal('{"unit_id":4,"dtime":"never","ns":5}');
    expect(rejected[4]?.[3]).to.equal('ns must be a number (rtt_std = ns/4503599627370496)');
    expect(rejected[6]?.[3]).to.include('row longer than 1048576 bytes');
    const rows = await query(`SELECT toUInt32(unit_id) AS unit, target, rtt_std, rtt_max
FROM test_latency FINAL WHERE organisation_id = ${tenant.organisationId} ORDER BY unit`);
    expect(rows).to.deep.equal([
      { unit: 1, target: 'Oslo', rtt_std: 2, rtt_max: 993 },
      { unit: 8, target: '', rtt_std: 0, rtt_max: 0 },
    ]);
  });

  it('NDJSON: a column that first appears late is rejected, not dropped, and --map takes it', async () => {
    const row = '{"unit_id":1,"dtime":"2026-11-01 10:00:00","target":"a","filler":"';
    const line = `${row}${'x'.repeat(1000)}"}\n`;
    const late = '{"unit_id":2,"dtime":"2026-11-01 10:00:00","target":"b","rtt_avg":9}\n';
    const path = file('late.ndjson', line.repeat(5000) + late);
    const { stdout } = await load(path);
    expect(stdout).to.include('rtt_avg is not in the first rows of the file: add --map');
    expect(rejectRows(path)[1]?.[0]).to.equal('5001');
    await load('--map', 'rtt_avg=optional(rtt_avg)', path);
    expect(await stored()).to.deep.equal(['1 10:00 a 0', '2 10:00 b 9']);
  });

  for (const compression of ['none', 'snappy', 'gzip', 'zstd', 'brotli']) {
    it(`Parquet compressed with ${compression} is loaded`, async () => {
      const path = await parquet(
        `${compression}.parquet`,
        `SELECT toInt64(1 + number % 7) AS unit_id, toDateTime64('2026-11-01 00:00:00', 3, 'UTC') + number AS dtime,
  concat('t', toString(number % 3)) AS target, toUInt32(number) AS rtt_avg FROM numbers(3000)`,
        `, output_format_parquet_compression_method = '${compression}', output_format_parquet_row_group_size = 1000`,
      );
      const { stdout, stderr } = await load(path);
      expect(stdout + stderr).to.include('3000 rows read: 3000 rows loaded');
      const [sum] = await query(`SELECT toUInt32(count()) AS n, toUInt32(sum(rtt_avg)) AS total,
  toUInt32(uniqExact(unit_id)) AS units, toUInt32(countIf(target = concat('t', toString(rtt_avg % 3)) AND
    toUnixTimestamp(dtime) = toUnixTimestamp('2026-11-01 00:00:00', 'UTC') + rtt_avg)) AS equal
FROM test_latency FINAL WHERE organisation_id = ${tenant.organisationId}`);
      expect(sum).to.deep.equal({ n: 3000, total: 4_498_500, units: 7, equal: 3000 });
    });
  }

  it('Parquet: times, decimals, 64-bit numbers, dictionaries, nulls and records are exact', async () => {
    const path = await parquet(
      'types.parquet',
      `SELECT toUInt64(7) AS unit_id, toUInt64(9007199254740993) AS big, toDateTime64('2026-11-01 10:00:00.123456', 6, 'UTC') AS dtime,
  toLowCardinality('dictionary') AS target, toDecimal64('43.78', 4) AS d64, toDecimal128('0.1', 20) AS d128,
  toFloat32(43.78) AS f32, 43.78::Float64 AS f64, NULL::Nullable(Int32) AS none,
  tuple('Oslo', toInt64(-5))::Tuple(city String, n Int64) AS record`,
    );
    const maps = Object.entries({
      rtt_avg: 'd64*125000',
      rtt_min: 'd128*10',
      rtt_max: 'f32*125000',
      rtt_std: 'f64*125000',
      successes: 'none*5',
      failures: '-record.n',
      target_group: 'record.city',
      address: 'big',
    }).flatMap(([target, expression]) => ['--map', `${target}=${expression}`]);
    const { stdout, stderr } = await load(...maps, path);
    expect(stdout + stderr).to.include('1 rows read: 1 rows loaded');
    const [row] = await query(`SELECT address AS big, toString(dtime) AS time, target, target_group,
  rtt_avg, rtt_min, rtt_max, rtt_std, successes, failures
FROM test_latency FINAL WHERE organisation_id = ${tenant.organisationId}`);
    expect(row).to.deep.equal({
      big: '9007199254740993',
      time: '2026-11-01 10:00:00.123',
      target: 'dictionary',
      target_group: 'Oslo',
      rtt_avg: 5_472_500,
      rtt_min: 1,
      rtt_max: 5_472_500,
      rtt_std: 5_472_500,
      successes: 0,
      failures: 5,
    });
  });

  const parquetProblems: readonly (readonly [string, string, readonly string[], number])[] = [
    [
      'a value of a wrong type is rejected with its row',
      "SELECT if(number = 1, 'one', '1') AS unit_id, '2026-11-01 10:00:00' AS dtime, toString(number) AS target FROM numbers(3)",
      ['3 rows read: 2 rows loaded, 1 rejected', 'unit_id must be', 'first in line 2: "one"'],
      0,
    ],
    [
      'an unknown column stops the load',
      "SELECT 1 AS unit_id, '2026-11-01 10:00:00' AS dtime, 5 AS rtt_average",
      ['unknown column: rtt_average', 'Nothing was loaded.'],
      1,
    ],
    [
      'a missing time is named, with a way to add it',
      'SELECT 1 AS unit_id',
      ['no column gives dtime: add --map dtime=COLUMN', 'Nothing was loaded.'],
      1,
    ],
  ];
  for (const [name, select, says, code] of parquetProblems) {
    it(`Parquet: ${name}`, async () => {
      const result = await load(await parquet('problem.parquet', select));
      for (const part of says) expect(result.stdout + result.stderr).to.include(part);
      expect(result.code).to.equal(code);
    });
  }

  const damaged: readonly (readonly [string, string | Buffer, string])[] = [
    ['cut.csv.zst', csvZstd.subarray(0, -20), 'the zstd data is cut short'],
    ['damaged.csv.zst', flipped(csvZstd, 40), 'the zstd data is damaged'],
    ['cut.ndjson.gz', gzipSync(ndjson).subarray(0, -12), 'the gzip data is cut short'],
    ['cut.parquet', Buffer.from('PAR1 and then nothing'), 'not a complete Parquet file'],
    ['text.parquet', csv, 'not a complete Parquet file'],
    ['zero.parquet', '', 'the file is empty'],
    ['zero.ndjson', '', 'the file is empty'],
    ['no-objects.ndjson', 'a,b\nc,d\n', 'the file has no JSON objects: line 1: not JSON'],
  ];
  for (const [name, content, problem] of damaged) {
    it(`${name} is an error: ${problem}`, async () => {
      const path = file(name, content);
      const { code, stderr } = await load(path);
      expect(stderr).to.include(`${path}: `);
      expect(stderr).to.include(problem);
      expect(stderr).to.include('Nothing was loaded.');
      expect(code).to.equal(1);
      expect(await stored()).to.deep.equal([]);
    });
  }

  it('--format decides, and an unknown one is refused', async () => {
    const path = file('rows.txt', csv);
    expect((await load('--format', 'csv', path)).code).to.equal(0);
    const refused = await load('--format', 'xml', path);
    expect(refused.stderr).to.include('Unknown format "xml". Allowed: csv, ndjson, parquet.');
    expect(refused.code).to.equal(2);
  });
});

/** With the bits of one byte inverted. */
function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = ~(copy[at] ?? 0) & 0xff;
  return copy;
}
