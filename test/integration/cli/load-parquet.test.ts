import { readFileSync } from 'node:fs';
import { text as readText } from 'node:stream/consumers';
import { expect } from 'chai';
import { netpanel, spawnNetpanel } from '../../support/netpanel.ts';
import { useLoadFolder } from '../../support/use-load-folder.ts';

describe('netpanel load of Parquet', () => {
  const panel = useLoadFolder();

  const args = (...more: readonly string[]) => [
    ...['load', '--org', panel.tenant.name, '--test', 'latency', '--no-wait'],
    ...more,
  ];
  const load = (...more: readonly string[]) => netpanel(panel.stack, ...args(...more));
  const query = async <T>(sql: string): Promise<T[]> =>
    (await panel.stack.clickhouse.query({ query: sql, format: 'JSONEachRow' })).json<T>();
  const parquet = async (name: string, select: string, settings = '') => {
    const { stream } = await panel.stack.clickhouse.exec({
      query: `${select} SETTINGS output_format_parquet_string_as_string = 1${settings} FORMAT Parquet`,
    });
    const chunks: Buffer[] = [];
    for await (const chunk of stream) chunks.push(chunk as Buffer);
    return panel.file(name, Buffer.concat(chunks));
  };

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
FROM test_latency FINAL WHERE organisation_id = ${panel.tenant.organisationId}`);
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
FROM test_latency FINAL WHERE organisation_id = ${panel.tenant.organisationId}`);
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

  it('Parquet from standard input is refused with the reason', async () => {
    const path = await parquet('stdin.parquet', 'SELECT 1 AS unit_id');
    const child = spawnNetpanel(panel.stack, ...args('--rejects', panel.folder, '-'));
    child.stdin.on('error', () => undefined).end(readFileSync(path));
    expect(await readText(child.stderr)).to.include(
      'Parquet cannot be read from standard input or a bucket: save it as a file',
    );
  });
});
