import { readFileSync } from 'node:fs';
import { text as readText } from 'node:stream/consumers';
import { gzipSync } from 'node:zlib';
import { expect } from 'chai';
import { parseCsv } from '../../../services/results/csv.ts';
import { netpanel, spawnNetpanel } from '../../support/netpanel.ts';
import { useLoadFolder } from '../../support/use-load-folder.ts';

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

describe('netpanel load of CSV and NDJSON, and of damaged files', () => {
  const panel = useLoadFolder();

  const args = (...more: readonly string[]) => [
    ...['load', '--org', panel.tenant.name, '--test', 'latency', '--no-wait'],
    ...more,
  ];
  const load = (...more: readonly string[]) => netpanel(panel.stack, ...args(...more));
  const query = async <T>(sql: string): Promise<T[]> =>
    (await panel.stack.clickhouse.query({ query: sql, format: 'JSONEachRow' })).json<T>();
  const stored = async () => {
    const rows = await query<{ row: string }>(
      `SELECT concat(toString(unit_id), ' ', formatDateTime(dtime, '%H:%i'), ' ', target, ' ',
  toString(rtt_avg)) AS row
FROM test_latency FINAL WHERE organisation_id = ${panel.tenant.organisationId} ORDER BY row`,
    );
    return rows.map(({ row }) => row);
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
      const path = panel.file(name, content);
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
      const child = spawnNetpanel(panel.stack, ...args('-'));
      child.stdin.end(content);
      const output = readText(child.stdout);
      expect(await output, await readText(child.stderr)).to.include('rows loaded');
      expect(await stored()).to.deep.equal(expected);
    });
  }

  it('NDJSON: nested values, long numbers, unknown keys and bad lines', async () => {
    const path = panel.file(
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
FROM test_latency FINAL WHERE organisation_id = ${panel.tenant.organisationId} ORDER BY unit`);
    expect(rows).to.deep.equal([
      { unit: 1, target: 'Oslo', rtt_std: 2, rtt_max: 993 },
      { unit: 8, target: '', rtt_std: 0, rtt_max: 0 },
    ]);
  });

  it('NDJSON: a column that first appears late is rejected, not dropped, and --map takes it', async () => {
    const row = '{"unit_id":1,"dtime":"2026-11-01 10:00:00","target":"a","filler":"';
    const line = `${row}${'x'.repeat(1000)}"}\n`;
    const late = '{"unit_id":2,"dtime":"2026-11-01 10:00:00","target":"b","rtt_avg":9}\n';
    const path = panel.file('late.ndjson', line.repeat(5000) + late);
    const { stdout } = await load(path);
    expect(stdout).to.include('rtt_avg is not in the first rows of the file: add --map');
    expect(rejectRows(path)[1]?.[0]).to.equal('5001');
    await load('--map', 'rtt_avg=optional(rtt_avg)', path);
    expect(await stored()).to.deep.equal(['1 10:00 a 0', '2 10:00 b 9']);
  });

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
      const path = panel.file(name, content);
      const { code, stderr } = await load(path);
      expect(stderr).to.include(`${path}: `);
      expect(stderr).to.include(problem);
      expect(stderr).to.include('Nothing was loaded.');
      expect(code).to.equal(1);
      expect(await stored()).to.deep.equal([]);
    });
  }

  it('--format decides, and an unknown one is refused', async () => {
    const path = panel.file('rows.txt', csv);
    expect((await load('--format', 'csv', path)).code).to.equal(0);
    const refused = await load('--format', 'xml', path);
    expect(refused.stderr).to.include(
      '--format must be one of csv, ndjson, json, parquet, xlsx, not "xml"',
    );
    expect(refused.code).to.equal(2);
  });
});

/** With the bits of one byte inverted. */
function flipped(bytes: Buffer, at: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = ~(copy[at] ?? 0) & 0xff;
  return copy;
}
