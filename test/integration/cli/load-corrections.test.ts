import { readFileSync } from 'node:fs';
import { expect } from 'chai';
import { hasColumn, type TestKey } from '../../../services/catalog/test-tables.ts';
import { valueColumns } from '../../../services/results/columns/file-plan.ts';
import { dayBefore } from '../../support/day-before.ts';
import { netpanel } from '../../support/netpanel.ts';
import { ingestTenant, postResults } from '../../support/ingest-tenant.ts';
import { newTenantToken } from '../../support/tenant.ts';
import { useLoadFolder } from '../../support/use-load-folder.ts';

const ndjson = (rows: readonly object[]) => rows.map((row) => JSON.stringify(row)).join('\n');
const header = 'unit_id,dtime,target,bytes_sec,successes';
const file = (...speeds: readonly (number | string)[]) => [
  header,
  ...speeds.map((speed, i) => `1,2026-11-01 1${i}:00:00,a,${speed},1`),
];

describe('a file with results that are stored already', () => {
  const own = useLoadFolder();

  const load = (...args: readonly string[]) =>
    netpanel(
      own.stack,
      'load',
      '--org',
      own.tenant.name,
      '--test',
      'httpget',
      '--no-wait',
      ...args,
    );
  const speeds = async () =>
    (await own.stored<{ bytes_sec: string }>('httpget', 'toString(bytes_sec) AS bytes_sec')).map(
      ({ bytes_sec }) => Number(bytes_sec),
    );
  const audited = () =>
    own.stack
      .database('audit_events')
      .where({ organisation_id: own.tenant.organisationId, action: 'results.replace' })
      .select<{ actor: string; target: string; details: object }[]>('actor', 'target', 'details');

  it('is loaded again without a word if its values are the same', async () => {
    await load(own.csv('same.csv', ...file(100, 200)));
    // Other bytes, so that the block is not recognised: the values are compared.
    const again = own.csv(
      'same-2.csv',
      header,
      '1,2026-11-01T10:00:00Z,"a",0100,1',
      ...file(0, 200).slice(2),
    );
    const { code, stdout, stderr } = await load(again);
    expect(code, stderr).to.equal(0);
    expect(stdout).to.equal(
      'same-2.csv: 2 rows read: 0 rows loaded, 2 already there\n' +
        stdout.slice(stdout.indexOf('  missing columns')),
    );
    expect(stdout).not.to.include('differ');
  });

  it('reports rows with other values, with their lines and what differs, and ends with 7', async () => {
    await load(own.csv('first.csv', ...file(100, 200, 300)));
    const corrected = own.csv('corrected.csv', ...file(100, 250, 350, 400));
    for (const attempt of [1, 2]) {
      const { code, stdout, stderr } = await load(corrected);
      expect(code, `attempt ${attempt}: ${stderr}`).to.equal(7);
      expect(stdout).to.include(
        '  2 rows differ from stored results with the same key, which were kept (--replace replaces them); first:\n' +
          '    line 3: bytes_sec is 250, stored is 200\n' +
          '    line 4: bytes_sec is 350, stored is 300\n',
      );
      expect(stderr).to.include('2 rows differ from stored results with the same key.');
      expect(await speeds()).to.deep.equal([100, 200, 300, 400]);
    }
    const { code, stdout } = await load('--json', corrected);
    const report = JSON.parse(stdout) as { differing: number; files: readonly object[] };
    expect([code, report.differing]).to.deep.equal([7, 2]);
    expect(report.files[0]).to.deep.include({
      differing: {
        rows: 2,
        first: [
          { line: 3, values: [{ column: 'bytes_sec', stored: '200', inFile: '250' }] },
          { line: 4, values: [{ column: 'bytes_sec', stored: '300', inFile: '350' }] },
        ],
        replaced: false,
      },
    });
    expect(await audited()).to.deep.equal([]);
  });

  it('replaces them with --replace, as a correction over HTTP does, and audits it', async () => {
    const first = own.csv('original.csv', ...file(100, 200));
    await load(first);
    const corrected = own.csv('correction.csv', ...file(100, 250));
    const preview = await load('--replace', '--dry-run', corrected);
    expect(preview.stdout).to.include('1 rows would replace stored results that had other values');
    expect(await speeds()).to.deep.equal([100, 200]);
    const { code, stdout, stderr } = await load('--replace', corrected);
    expect(code, stderr).to.equal(0);
    expect(stdout).to.include('2 rows read: 2 rows loaded\n');
    expect(stdout).to.include(
      '1 rows replaced stored results that had other values; first:\n    line 3: bytes_sec is 250, stored is 200',
    );
    expect(await speeds()).to.deep.equal([100, 250]);
    const [event, ...others] = await audited();
    expect(others).to.deep.equal([]);
    expect(event).to.deep.include({ target: 'test httpget', details: { rows: 2 } });
    expect(event?.actor).to.match(/^netpanel-cli /);

    // The file of before: its block is recorded, but the stored results are others now.
    const old = await load(first);
    expect(old.code).to.equal(7);
    expect(old.stdout).to.include('line 3: bytes_sec is 200, stored is 250');
    expect((await load(corrected)).code).to.equal(0);
    // The last correction wins.
    expect((await load('--replace', first)).code).to.equal(0);
    expect(await speeds()).to.deep.equal([100, 200]);
  });

  it('with --replace keeps the first of two rows of a file, and compares with a correction over HTTP', async () => {
    const dtime = `${dayBefore(1)} 10:00:00`;
    const rows = (...speeds: readonly number[]) => [
      header,
      ...speeds.map((speed) => `1,${dtime},a,${speed},1`),
    ];
    await load(own.csv('base.csv', ...rows(100)));
    const token = await newTenantToken(own.stack.database, own.tenant.organisationId, 'data', {
      scopes: ['results:write'],
    });
    const result = { unit_id: 1, dtime, target: 'a', bytes_sec: 150, successes: 1 };
    const sent = await postResults(
      own.stack.ingestUrl,
      token,
      '/results/httpget?replace=true',
      ndjson([result]),
      { 'content-type': 'application/x-ndjson' },
    );
    expect(sent.status, JSON.stringify(sent.body)).to.equal(200);
    const twice = own.csv('twice.csv', ...rows(100, 170));
    const kept = await load(twice);
    expect(kept.code).to.equal(7);
    expect(kept.stdout).to.include('1 rows differ');
    expect(kept.stdout).to.include('line 2: bytes_sec is 100, stored is 150');
    expect((await load('--replace', twice)).code).to.equal(0);
    expect(await speeds()).to.deep.equal([100]);
  });

  it('is compared as it is stored: blanks as defaults, other formats, key columns that the file lacks', async () => {
    const parts = [
      'unit_id,dtime,target,bytes_sec,successes,fetch_time,tcp_retransmissions,ip_version',
    ];
    await load(
      own.csv(
        'full.csv',
        ...parts,
        '1,2026-11-01 10:00:00,"x, y",5,1,7,,',
        '2,2026-11-01 10:00:00,b,5,1,,3,6',
      ),
    );
    const same = own.csv(
      'full-2.csv',
      ...parts,
      '1,2026-11-01 10:00:00.000,"x, y",5.0,1,7,\\N,4',
      '2,2026-11-01 10:00:00,b,5,1,0,3,6',
    );
    expect((await load(same)).code).to.equal(0);
    const json = own.file(
      'full.ndjson',
      [
        {
          unit_id: 1,
          dtime: '2026-11-01T10:00:00Z',
          target: 'x, y',
          bytes_sec: 5,
          successes: 1,
          tcp_retransmissions: 0,
        },
        {
          unit_id: 2,
          dtime: '2026-11-01T10:00:00Z',
          target: 'b',
          bytes_sec: 6,
          successes: 1,
          ip_version: 6,
        },
        { unit_id: 2, dtime: '2026-11-01T10:00:00Z', target: 'b', bytes_sec: 6, successes: 1 },
      ]
        .map((row) => JSON.stringify(row))
        .join('\n'),
    );
    const { code, stdout } = await load(json);
    expect(code).to.equal(7);
    expect(stdout).to.include('1 rows loaded, 2 already there');
    expect(stdout).to.include('    line 1: tcp_retransmissions is 0, stored is ""\n');
    expect(stdout).to.include(
      '    line 2: bytes_sec is 6, stored is 5; tcp_retransmissions is "", stored is 3\n',
    );
  });
});

describe('rows that no loader stores', () => {
  const own = useLoadFolder();
  const load = (test: string, ...args: readonly string[]) =>
    netpanel(own.stack, 'load', '--org', own.tenant.name, '--test', test, '--no-wait', ...args);
  const rejects = (path: string) =>
    readFileSync(`${path}.rejects.csv`, 'utf8').split('\n').slice(1, -1);

  it('are those of the future, as over HTTP: they register no agent', async () => {
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const justNow = new Date(Date.now() + 60_000).toISOString();
    const path = own.csv(
      'future.csv',
      'unit_id,dtime,bytes_sec,successes',
      `1,${justNow},5,1`,
      `2,${inAnHour},5,1`,
      '3,2099-01-01 00:00:00,5,1',
    );
    const { code, stdout } = await load('httpget', path);
    expect(code).to.equal(0);
    expect(stdout).to.include('1 rows loaded, 2 rejected');
    expect(stdout).to.include('1 agents registered');
    expect(stdout).to.match(/rejected 2: dtime is in the future; first in line 3: "20/);
    expect(rejects(path)[1]).to.match(
      /^4,dtime,2099-01-01 00:00:00,dtime is in the future: the time is 20.* UTC,/,
    );
    const mba = own.csv(
      'curr_httpget.csv',
      'unit_id,dtime,target,bytes_sec,successes',
      '1,2099-01-01 00:00:00,a,5,1',
    );
    const loaded = await netpanel(
      own.stack,
      'load-mba',
      '--org',
      own.tenant.name,
      '--no-wait',
      mba,
    );
    expect(loaded.code).to.equal(3);
    expect(loaded.stderr).to.include('dtime is in the future');
  });

  it('are successful tests without the value of their metric', async () => {
    const path = own.csv(
      'blank.csv',
      'unit_id,dtime,bytes_sec,successes,failures',
      '1,2026-11-01 10:00:00,5,1,0',
      '1,2026-11-01 11:00:00,,1,0',
      '1,2026-11-01 12:00:00,\\N,1.0,0',
      '1,2026-11-01 13:00:00,,0,1',
      '1,2026-11-01 14:00:00,"",1,0',
      '1,2026-11-01 15:00:00,0,1,0',
    );
    const { stdout } = await load('httpget', path);
    expect(stdout).to.include('6 rows read: 3 rows loaded, 3 rejected');
    expect(stdout).to.include(
      'rejected 3: bytes_sec must not be blank where successes is above 0; first in line 3',
    );
    expect(rejects(path).map((line) => line.slice(0, 12))).to.deep.equal([
      '3,bytes_sec,',
      '4,bytes_sec,',
      '6,bytes_sec,',
    ]);
  });

  it('are decided by the catalogue, for each test, also in a file without the column', async () => {
    const wanted: Record<string, string> = {
      httpget: 'bytes_sec',
      httppost: 'bytes_sec',
      dns: 'rtt',
      netflix: 'bitrate',
      ping: 'rtt_avg',
      jitter: 'jitter_down jitter_up',
      latency: 'rtt_avg',
      webget: 'fetch_time',
      youtube: 'bitrate',
      network_usage: 'wan_rx_bytes sk_rx_bytes wan_tx_bytes sk_tx_bytes',
      traceroute: 'hop',
      udpcloss: 'duration',
      panel: '',
      mobile_download: 'bytes_sec',
      mobile_latency: 'rtt_avg',
      mobile_upload: 'bytes_sec',
      mobile_www: 'fetch_time',
      mobile_youtube: 'bitrate',
    };
    const required = (test: TestKey) =>
      valueColumns(test)
        .map(({ name }) => name)
        .join(' ');
    const found = Object.keys(wanted).map((test) => [test, required(test as TestKey)]);
    expect(Object.fromEntries(found)).to.deep.equal(wanted);
    for (const [test, names] of Object.entries(wanted).filter(([, names]) => names !== '')) {
      const columns: Record<string, string> = {
        unit_id: '1',
        dtime: '2026-11-01 10:00:00',
        ...(hasColumn(test as TestKey, 'successes') && { successes: '1' }),
        ...(test === 'jitter' && { packets_down_recv: '100', packets_up_recv: '100' }),
      };
      const lines = [Object.keys(columns).join(','), Object.values(columns).join(',')];
      const { code, stderr } = await load(test, own.csv(`${test}.csv`, ...lines));
      expect(code, test).to.equal(3);
      expect(stderr).to.include(`${names.split(' ')[0]} must not be blank`);
    }
    // Without packets there is no jitter.
    const silent = own.csv(
      'silent.csv',
      'unit_id,dtime,successes,packets_down_recv,packets_up_recv',
      '1,2026-11-01 10:00:00,1,0,',
    );
    expect((await load('jitter', silent)).code).to.equal(0);
  });

  it('are the same in mapped files and in requests', async () => {
    const mapped = own.csv(
      'mapped.csv',
      'probe,at,mbps',
      '1,2026-11-01 10:00:00,8',
      '1,2026-11-01 11:00:00,',
    );
    const { stdout } = await load(
      'httpget',
      '--map',
      'unit_id=probe',
      '--map',
      'dtime=at',
      '--map',
      'bytes_sec=mbps*125000',
      '--map',
      'successes=1',
      mapped,
    );
    expect(stdout).to.include('1 rows loaded, 1 rejected');
    expect(rejects(mapped)).to.deep.equal([
      '3,mbps,,bytes_sec must not be blank where successes is above 0 (bytes_sec = mbps*125000),"1,2026-11-01 11:00:00,"',
    ]);

    const tenant = await ingestTenant();
    const dtime = new Date().toISOString();
    const row = { unit_id: 7, dtime, successes: 1 };
    const rows = [row, { ...row, bytes_sec: null }, { ...row, bytes_sec: 5 }];
    const sent = await tenant.post('/results/httpget', ndjson(rows), {
      'content-type': 'application/x-ndjson',
    });
    expect(sent.body.data?.rejects).to.deep.equal(
      [1, 2].map((place) => ({
        row: place,
        reason: 'bytes_sec must not be blank where successes is above 0',
        column: 'bytes_sec',
        value: '',
      })),
    );
    const csv = `unit_id,dtime,bytes_sec,successes\n7,${dtime},\\N,1\n`;
    const refused = await tenant.post('/results/httpget', csv, { 'content-type': 'text/csv' });
    expect(refused.body.errors).to.deep.equal({
      'rows[2][bytes_sec]': ['bytes_sec must not be blank where successes is above 0'],
    });
    expect(await tenant.rows('httpget', 'toUInt32(bytes_sec) AS bytes_sec')).to.deep.equal([
      { bytes_sec: 5 },
    ]);
  });
});
