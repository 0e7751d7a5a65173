import { appendFileSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { netpanel } from '../../support/netpanel.ts';
import { useLoadFolder } from '../../support/use-load-folder.ts';

const header = 'unit_id,dtime,target';
const row = (hour: number) => `1,2026-11-01 ${String(hour).padStart(2, '0')}:00:00,a`;

interface WatchedFile {
  readonly file: string;
  readonly status: string;
  readonly test: string | null;
  readonly rows: number | null;
  readonly loaded: number | null;
  readonly rejected: number | null;
  readonly attempts: number;
  readonly message: string | null;
}

describe('netpanel watch --once', () => {
  const own = useLoadFolder();
  let incoming: string;

  beforeEach(() => {
    incoming = mkdtempSync(join(own.folder, 'incoming-'));
  });

  const file = (name: string, ...lines: readonly string[]) =>
    own.csv(join(incoming.slice(own.folder.length), name), ...lines);
  const watch = (...args: readonly string[]) =>
    netpanel(
      own.stack,
      ...['watch', '--org', own.tenant.name, '--once', '--settle-seconds', '0', ...args],
      incoming,
    );
  const status = async (): Promise<readonly WatchedFile[]> => {
    const args = ['watch', '--org', own.tenant.name, '--status', '--json', incoming];
    const { stdout } = await netpanel(own.stack, ...args);
    return JSON.parse(stdout) as WatchedFile[];
  };
  const hours = async (test: string) => {
    const rows = await own.stored<{ hour: number }>(test, 'toHour(dtime) AS hour');
    return rows.map(({ hour }) => hour);
  };

  it('loads each file once, to the test that its folder or its name is', async () => {
    file('latency/day.csv', header, row(1), row(2));
    file('archive/ping_2026-11-01.csv', header, row(3));
    const first = await watch('--json');
    expect(first.code, first.stderr).to.equal(0);
    expect(JSON.parse(first.stdout)).to.include({ exitCode: 0, rowsRead: 3, loaded: 3 });
    expect(first.stderr).to.match(
      /Z latency\/day\.csv: loaded: 2 rows read: 2 rows loaded(, 1 agents registered)?, in [\d.]+ s\n/,
    );
    expect(await hours('latency')).to.deep.equal([1, 2]);
    expect(await hours('ping')).to.deep.equal([3]);

    file('latency/next.csv', header, row(4));
    const second = await watch('--json');
    expect((JSON.parse(second.stdout) as { files: object[] }).files).to.have.length(1);
    expect(await hours('latency')).to.deep.equal([1, 2, 4]);
    expect(JSON.parse((await watch('--json')).stdout)).to.include({ exitCode: 0, rowsRead: 0 });
    const listed = await status();
    expect(listed.map((one) => [one.file, one.test, one.loaded])).to.have.deep.members([
      ['latency/day.csv', 'latency', 2],
      ['archive/ping_2026-11-01.csv', 'ping', 1],
      ['latency/next.csv', 'latency', 1],
    ]);
    expect(listed[0]).to.include({ file: 'latency/next.csv', status: 'loaded', attempts: 1 });
  });

  it('leaves files alone that are hidden, partial or reject files, until they are renamed', async () => {
    for (const name of ['.day.csv', 'day.csv.part', 'day.csv.TMP', 'old.csv.rejects.csv']) {
      file(`latency/${name}`, header, row(1));
    }
    file('.staging/latency/day.csv', header, row(1));
    expect(await watch()).to.include({ code: 0, stdout: '' });
    expect(await status()).to.deep.equal([]);
    renameSync(join(incoming, 'latency/day.csv.part'), join(incoming, 'latency/day.csv'));
    expect(await watch()).to.include({ code: 0 });
    expect(await hours('latency')).to.deep.equal([1]);
  });

  it('leaves out a file that is being written, and loads it when it is complete', async () => {
    const path = file('latency.csv', header, row(0));
    let written = 0;
    const writer = setInterval(
      () => appendFileSync(path, `2,2026-11-02 00:00:00,t${written++}\n`),
      20,
    );
    const during = await watch('--settle-seconds', '3').finally(() => clearInterval(writer));
    expect(during.stderr).to.include('latency.csv: left out, because it is being written');
    expect(during.code).to.equal(0);
    expect(await own.storedRowCount('latency')).to.equal(0);
    expect(written).to.be.greaterThan(1);
    expect(await watch('--settle-seconds', '1')).to.include({ code: 0 });
    expect(await own.storedRowCount('latency')).to.equal(written + 1);
  });

  it('loads a file again when its content changes', async () => {
    file('latency/day.csv', header, row(1));
    await watch();
    file('latency/day.csv', header, row(1), row(2));
    const { stderr } = await watch();
    expect(stderr).to.include('2 rows read: 1 rows loaded, 1 already there');
    expect(await hours('latency')).to.deep.equal([1, 2]);
    expect(await status()).to.have.length(2);
  });

  it('does not try a bad file again until it is corrected, and loads the others', async () => {
    file('latency/bad-header.csv', 'unit_id,when', '1,2026-11-01');
    file('latency/rejected.csv', header, '1,secret-time,a');
    file('latency/good.csv', header, row(5));
    file('notes.csv', header, row(6));
    const first = await watch();
    expect(first.code).to.equal(5);
    expect(first.stderr).to.include('Not every file was loaded.');
    expect(await hours('latency')).to.deep.equal([5]);
    const failed = new Map((await status()).map((listed) => [listed.file, listed]));
    expect(failed.get('latency/bad-header.csv')).to.include({ status: 'failed', attempts: 1 });
    expect(failed.get('latency/bad-header.csv')?.message).to.include(
      'missing column: dtime; unknown column: when',
    );
    const rejected = failed.get('latency/rejected.csv');
    expect(rejected).to.include({ status: 'failed', rows: 1, loaded: 0, rejected: 1 });
    expect(rejected?.message).to.include('all 1 rows were rejected; line 2, column dtime');
    expect(failed.get('notes.csv')?.message).to.include('neither the folder nor the file is named');
    expect(existsSync(join(incoming, 'latency/rejected.csv.rejects.csv'))).to.equal(true);

    expect(await watch()).to.include({ code: 0, stdout: '' });
    file('latency/bad-header.csv', header, row(7));
    expect(await watch()).to.include({ code: 0 });
    expect(await hours('latency')).to.deep.equal([5, 7]);
    // With other options, all bad files are tried again.
    const retried = await watch('--retry-failed', '--test', 'latency');
    expect(retried.code).to.equal(5);
    expect(await hours('latency')).to.deep.equal([5, 6, 7]);
  });

  it('loads other columns and NDJSON with a mapping, and records a file that it does not fit as bad', async () => {
    file('dns/mapped.csv', 'box,at,server', '1,2026-11-01 05:00:00,9.9.9.9');
    file('dns/rows.ndjson', '{"box": 1, "at": "2026-11-01 06:00:00", "server": "8.8.8.8"}');
    file('dns/other.csv', 'box,when', '1,2026-11-01 07:00:00');
    const maps = ['unit_id=box', 'dtime=at', 'nameserver=server'];
    await watch(...maps.flatMap((map) => ['--map', map]));
    const stored = await own.stored<{ nameserver: string }>('dns', 'nameserver');
    expect(stored.map(({ nameserver }) => nameserver)).to.deep.equal(['9.9.9.9', '8.8.8.8']);
    const files = await status();
    expect(files.map(({ file: name, status: of }) => `${name} ${of}`)).to.have.members([
      'dns/mapped.csv loaded',
      'dns/rows.ndjson loaded',
      'dns/other.csv failed',
    ]);
    const refused = await watch('--preset', 'accc');
    expect(refused.code).to.equal(2);
    expect(refused.stderr).to.include('netpanel watch does not know');
  });

  it('stores no value of a rejected row in Postgres', async () => {
    file('latency/a.csv', header, '1,secret-1001,a');
    file('latency/b.csv', 'secret-1001,2026-11-01 10:00:00,a', '1,2026-11-01 10:00:00,b');
    await watch();
    await watch('--retry-failed', '--strict');
    const records = await own.stack
      .database('watched_files')
      .where({ organisation_id: own.tenant.organisationId });
    expect(records).to.have.length(2);
    expect(JSON.stringify(records)).to.include('dtime must be a UTC time');
    expect(JSON.stringify(records)).to.not.include('secret');
  });

  it('tries a file again after a failure that is not its fault', async () => {
    file('latency/day.csv', header, row(1), '1,never,a');
    const rejects = join(own.folder, 'rejects-later', own.tenant.name);
    const first = await watch('--rejects', rejects);
    expect(first.code).to.equal(1);
    expect(first.stderr).to.include('the rejected rows cannot be written to');
    const [waiting] = await status();
    expect(waiting).to.include({ status: 'retrying', attempts: 1 });
    expect(waiting).to.have.property('next attempt').that.is.a('string');
    mkdirSync(rejects, { recursive: true });
    expect(await watch('--rejects', rejects)).to.include({ code: 0 });
    expect((await status())[0]).to.include({ status: 'loaded', attempts: 2, rejected: 1 });
    expect(existsSync(join(rejects, 'latency%2Fday.csv.rejects.csv'))).to.equal(true);
  });

  it('applies --max-rejects to each file, and loads the others', async () => {
    file('latency/a.csv', header, '1,never,a', '1,never,b', row(1));
    file('latency/b.csv', header, '1,never,a', row(2));
    expect(await watch('--max-rejects', '1')).to.include({ code: 4 });
    expect((await status()).map((one) => [one.file, one.status])).to.have.deep.members([
      ['latency/a.csv', 'failed'],
      ['latency/b.csv', 'loaded'],
    ]);
    expect(await hours('latency')).to.deep.equal([2]);
  });

  it('loads everything again with --again', async () => {
    file('latency/day.csv', header, row(1));
    await watch();
    await own.stack.clickhouse.command({
      query: `DELETE FROM test_latency WHERE organisation_id = ${own.tenant.organisationId}`,
    });
    expect(await watch()).to.include({ code: 0, stdout: '' });
    expect(await hours('latency')).to.deep.equal([]);
    expect(await watch('--again')).to.include({ code: 0 });
    expect(await hours('latency')).to.deep.equal([1]);
  });

  it('reports invalid arguments', async () => {
    const fails = async (code: number, message: string, ...args: readonly string[]) => {
      const result = await netpanel(own.stack, 'watch', ...args);
      expect(result.stderr).to.include(message);
      expect(result.code).to.equal(code);
    };
    const org = ['--org', own.tenant.name];
    await fails(2, '--org is missing', incoming);
    await fails(2, 'DIR or s3://bucket/prefix is missing', ...org);
    await fails(
      2,
      '"s3:bucket" must be an address such as s3://bucket/prefix',
      ...org,
      's3:bucket',
    );
    await fails(
      2,
      'Unknown test "speed". Allowed: cells, dns, ',
      ...org,
      '--test',
      'speed',
      incoming,
    );
    await fails(2, '--settle-seconds must be', ...org, '--settle-seconds', 'soon', incoming);
    await fails(2, '--max-rejects must be', ...org, '--max-rejects', 'some', incoming);
    await fails(2, '--dry-run is an option of netpanel load only', ...org, '--dry-run', incoming);
    rmSync(incoming, { recursive: true });
    await fails(1, `Folder not found: ${incoming}`, ...org, incoming);
  });
});
