import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { parseCsv } from '../../../services/results/csv.ts';
import { localStack, type LocalStack } from '../../support/local-stack.ts';
import { netpanel } from '../../support/netpanel.ts';
import { newTenant, type Tenant } from '../../support/tenant.ts';

const foreign = `Box;test_time;All hour mean download speed;note
1;2026-11-01T10:00:00Z;43.78;"two
lines"

2;2026-11-01T11:00:00Z;;x
3;2026-11-01T12:00:00Z;fast;y
4;2026-11-01T13:00:00Z;99999999999999999;"z; z"
5;soon;1;
6;2026-11-01T13:00:00Z
`;
const maps = ['--map', 'unit_id=Box', '--map', 'dtime=test_time'];
const speed = ['--map', 'bytes_sec=All hour mean download speed*125000'];

describe('netpanel load of files with other columns', () => {
  let stack: LocalStack;
  let tenant: Tenant;
  let folder: string;

  before(async () => {
    stack = await localStack();
    folder = mkdtempSync(join(tmpdir(), 'netpanel-mapped-'));
  });
  beforeEach(async () => {
    tenant = await newTenant(stack.database);
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const file = (name: string, content: string) => {
    const path = join(folder, name);
    writeFileSync(path, content);
    return path;
  };
  const load = (...args: readonly string[]) =>
    netpanel(stack, 'load', '--org', tenant.name, '--no-wait', ...args);
  const stored = async (columns: string, test = 'httpget') => {
    const result = await stack.clickhouse.query({
      query: `SELECT ${columns} FROM test_${test} FINAL
WHERE organisation_id = ${tenant.organisationId} ORDER BY agent_id, dtime`,
      format: 'JSONEachRow',
    });
    return result.json();
  };
  const columns =
    'toUInt32(unit_id) AS unit, toString(dtime) AS time, toUInt32(bytes_sec) AS speed';

  it('maps columns, and names the line, column and value of the file for rejected rows', async () => {
    const path = file('foreign.csv', foreign);
    const { stdout, code } = await load('--test', 'httpget', ...maps, ...speed, path);
    expect(stdout).to.include('6 rows read: 2 rows loaded, 4 rejected');
    expect(stdout).to.include('read with separator semicolon');
    expect(stdout).to.include('ignored columns: note');
    expect(code).to.equal(0);
    expect(await stored(columns)).to.deep.equal([
      { unit: 1, time: '2026-11-01 10:00:00.000', speed: 5_472_500 },
      { unit: 2, time: '2026-11-01 11:00:00.000', speed: 0 },
    ]);
    const name = 'All hour mean download speed';
    const [, ...rejected] = parseCsv(readFileSync(`${path}.rejects.csv`, 'utf8'));
    expect(rejected).to.deep.equal([
      [
        '6',
        name,
        'fast',
        `${name} must be a number (bytes_sec = ${name}*125000)`,
        '3;2026-11-01T12:00:00Z;fast;y',
      ],
      [
        '7',
        name,
        '99999999999999999',
        `bytes_sec must be a whole number from -9223372036854775808 to 9223372036854775807 (bytes_sec = ${name}*125000)`,
        '4;2026-11-01T13:00:00Z;99999999999999999;"z; z"',
      ],
      [
        '8',
        'test_time',
        'soon',
        'dtime must be a UTC time such as 2026-11-15 18:30:00 (dtime = test_time)',
        '5;soon;1;',
      ],
      ['9', '', '', '2 columns, but the header has 4', '6;2026-11-01T13:00:00Z'],
    ]);
    expect((await load('--test', 'httpget', ...maps, ...speed, path)).stdout).to.include(
      '0 rows loaded, 2 already there',
    );
  });

  it('--save-mapping writes a mapping that --mapping reads, and --map wins over it', async () => {
    const path = file('own.csv', 'unit_id,test_time,mbps\n1,2026-11-01 10:00:00,8\n');
    const saved = join(folder, 'saved.json');
    const map = ['--map', 'dtime=test_time', '--map', 'bytes_sec=mbps*125000'];
    const first = await load('--test', 'httpget', ...map, '--save-mapping', saved, path);
    expect(first.stdout + first.stderr).to.include('1 rows loaded');
    expect(JSON.parse(readFileSync(saved, 'utf8'))).to.deep.equal({
      test: 'httpget',
      columns: { unit_id: '"unit_id"', dtime: 'test_time', bytes_sec: 'mbps*125000' },
    });
    expect((await load('--mapping', saved, path)).stdout).to.include('1 already there');
    const other = ['--map', 'unit_id=unit_id+1', '--map', 'bytes_sec=mbps'];
    await load('--mapping', saved, ...other, path);
    expect(await stored(columns)).to.deep.equal([
      { unit: 1, time: '2026-11-01 10:00:00.000', speed: 1_000_000 },
      { unit: 2, time: '2026-11-01 10:00:00.000', speed: 8 },
    ]);
  });

  it('the preset mlab-ndt7 loads rows of the unified views as NDJSON', async () => {
    const row = {
      date: '2026-11-01',
      id: 'ndt-1',
      a: { TestTime: '2026-11-01 10:00:00.5 UTC', MeanThroughputMbps: 43.78, MinRTT: 11.5 },
      client: { IP: '192.0.2.1', Geo: { CountryCode: 'NO' }, Network: { ASNumber: 64500 } },
      server: { IP: '198.51.100.7', Site: 'osl01', Machine: 'mlab1' },
      raw: { Download: { ServerMeasurements: [{ x: 1 }] } },
    };
    const path = file('downloads.ndjson', `${JSON.stringify(row)}\n`);
    const downloads = await load('--preset', 'mlab-ndt7', path);
    expect(downloads.stdout + downloads.stderr).to.include('1 rows loaded');
    await load('--preset', 'mlab-ndt7', '--test', 'httppost', path);
    const wanted =
      'agent_id, toString(dtime) AS time, target, address, toUInt32(bytes_sec) AS speed, successes';
    const expected = {
      agent_id: '192.0.2.1',
      time: '2026-11-01 10:00:00.500',
      target: 'mlab1-osl01',
      address: '198.51.100.7',
      speed: 5_472_500,
      successes: 1,
    };
    expect(await stored(wanted)).to.deep.equal([expected]);
    expect(await stored(wanted, 'httppost')).to.deep.equal([expected]);
  });

  it('the preset ookla loads each tile as an agent, with the quarter as --map dtime', async () => {
    const path = file(
      'tiles.csv',
      'quadkey,tile,avg_d_kbps,avg_u_kbps,avg_lat_ms,tests,devices\n' +
        '0022133222330013,"POLYGON((1 2, 3 4))",43780,8560,12,7,3\n',
    );
    const quarter = ['--map', "dtime='2026-07-01'"];
    const missing = await load('--preset', 'ookla', path);
    expect(missing.stderr).to.include('no column gives dtime: add --map dtime=COLUMN');
    const download = await load('--preset', 'ookla', ...quarter, path);
    expect(download.stdout + download.stderr).to.include('1 rows loaded');
    const upload = ['--test', 'httppost', '--map', 'bytes_sec=avg_u_kbps*125'];
    await load('--preset', 'ookla', ...quarter, ...upload, path);
    const wanted = 'agent_id, toString(dtime) AS time, toUInt32(bytes_sec) AS speed, successes';
    const tile = { agent_id: '0022133222330013', time: '2026-07-01 00:00:00.000', successes: 7 };
    expect(await stored(wanted)).to.deep.equal([{ ...tile, speed: 5_472_500 }]);
    expect(await stored(wanted, 'httppost')).to.deep.equal([{ ...tile, speed: 1_070_000 }]);
  });

  const problems: readonly (readonly [string, readonly string[], number, string])[] = [
    ['a missing column', [...maps, '--map', 'bytes_sec=sped*8'], 1, 'unknown column "sped"'],
    [
      'a similar column',
      ['--map', 'dtime=test_tme', '--map', 'unit_id=Box'],
      1,
      'mean "test_time"?',
    ],
    ['an unknown target', [...maps, '--map', 'byte_sec=Box'], 1, 'Did you mean bytes_sec?'],
    ['an unknown function', [...maps, '--map', 'target=lowr(note)'], 1, 'Did you mean lower?'],
    ['a division by zero', [...maps, '--map', 'threads=Box/0'], 1, 'division by zero: Box/0'],
    ['no agent', ['--map', 'dtime=test_time'], 1, 'no column gives the agent'],
    ['a target given twice', [...maps, '--map', 'dtime=Box'], 2, '--map dtime=… is given twice'],
    ['no expression', ['--map', 'dtime'], 2, '--map must be TARGET=EXPRESSION'],
    ['an unknown preset', ['--preset', 'mlab-ndt'], 2, 'Did you mean mlab-ndt7?'],
    ['two mappings', ['--preset', 'ookla', '--mapping', 'x'], 2, 'exclude each other'],
    ['a mapping file that is missing', ['--mapping', '/no/file'], 2, '/no/file cannot be read'],
    ['nothing to save', ['--save-mapping', '/tmp/x.json'], 2, '--save-mapping needs --map'],
  ];
  for (const [name, args, exitCode, problem] of problems) {
    it(`${name} stops the load before anything is stored`, async () => {
      const path = file('refused.csv', foreign);
      const { code, stderr } = await load('--test', 'httpget', ...args, path);
      expect(stderr).to.include(problem);
      expect(code).to.equal(exitCode);
      expect(await stored(columns)).to.deep.equal([]);
      expect(existsSync(`${path}.rejects.csv`)).to.equal(false);
    });
  }
});
