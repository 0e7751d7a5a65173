import { existsSync } from 'node:fs';
import { expect } from 'chai';
import { netpanel } from '../../support/netpanel.ts';
import { addAgent } from '../../support/tenant.ts';
import { useLoadFolder } from '../../support/use-load-folder.ts';

interface Report {
  readonly exitCode: number;
  readonly rowsRead: number;
  readonly loaded: number;
  readonly alreadyThere: number;
  readonly duplicates: number;
  readonly rejected: number;
  readonly files: readonly Readonly<Record<string, unknown>>[];
}

describe('the summary of netpanel load', () => {
  const own = useLoadFolder();

  const load = (test: string, ...args: readonly string[]) =>
    netpanel(own.stack, 'load', '--org', own.tenant.name, '--test', test, ...args);
  const report = async (test: string, ...args: readonly string[]): Promise<Report> => {
    const { stdout } = await load(test, '--json', ...args);
    return JSON.parse(stdout) as Report;
  };

  it('counts duplicates within a file, and tells those that differ in content', async () => {
    const path = own.csv(
      'duplicates.csv',
      'unit_id,dtime,target,rtt_avg',
      '1,2026-11-01 10:00:00,a,5',
      '1,2026-11-01 10:00:00,a,5',
      '1,2026-11-01 10:00:00,a,9',
      '1,2026-11-01 10:00:00Z,a,7',
      '1,2026-11-01 10:00:00,b,5',
    );
    const { code, stdout } = await load('latency', path);
    expect(code).to.equal(0);
    expect(stdout).to.include('5 rows read: 2 rows loaded, 3 duplicates, 1 agents registered');
    expect(stdout).to.include('2 duplicates differ from the row that was kept');
    expect(await own.stored('latency', 'target, rtt_avg')).to.have.deep.members([
      { target: 'a', rtt_avg: 5 },
      { target: 'b', rtt_avg: 5 },
    ]);
  });

  it('counts a row that another file stored as already there', async () => {
    const rows = ['1,2026-11-01 10:00:00,a', '1,2026-11-01 11:00:00,a'];
    await load('latency', own.csv('first.csv', 'unit_id,dtime,target', ...rows));
    const longer = [...rows, '1,2026-11-01 12:00:00,a'];
    const second = await report(
      'latency',
      own.csv('second.csv', 'unit_id,dtime,target', ...longer),
    );
    expect(second).to.include({ rowsRead: 3, loaded: 1, alreadyThere: 2, duplicates: 0 });
  });

  it('of two loaders of one file at the same time counts every row once', async () => {
    const rows = Array.from(
      { length: 200 },
      (_, i) => `${i},2026-11-01 10:00:00.${String(i).padStart(3, '0')},a`,
    );
    const path = own.csv('parallel.csv', 'unit_id,dtime,target', ...rows);
    const reports = await Promise.all([report('latency', path), report('latency', path)]);
    expect(reports.map(({ rowsRead }) => rowsRead)).to.deep.equal([200, 200]);
    expect(reports.reduce((sum, { loaded }) => sum + loaded, 0)).to.equal(200);
    expect(reports.reduce((sum, { alreadyThere }) => sum + alreadyThere, 0)).to.equal(200);
  });

  it('has rejected rows by reason, and agents without time zone and package', async () => {
    await addAgent(own.stack.database, own.tenant.organisationId, { agentId: 'known', unitId: 5 });
    const path = own.csv(
      'reasons.csv',
      'unit_id,dtime,rtt_avg',
      '5,2026-11-01 10:00:00,1',
      '6,2026-11-01 10:00:00,1',
      '7,2026-11-01 10:00:00,fast',
      '8,2026-11-01 10:00:00,slow',
      '9,never,1',
    );
    const { rowsRead, loaded, rejected, files } = await report('latency', path);
    expect({ rowsRead, loaded, rejected }).to.deep.equal({ rowsRead: 5, loaded: 2, rejected: 3 });
    expect(files[0]).to.deep.include({
      file: 'reasons.csv',
      agentsRegistered: 1,
      agentsWithout: { timezone: 2, package: 2, firstWithoutTimezone: ['known', '6'] },
      rejectFile: `${path}.rejects.csv`,
      rejectedBecause: [
        {
          reason: 'rtt_avg must be a whole number from 0 to 4294967295',
          rows: 2,
          firstLine: 4,
          column: 'rtt_avg',
          firstValue: 'fast',
        },
        {
          reason: 'dtime must be a UTC time such as 2026-11-15 18:30:00',
          rows: 1,
          firstLine: 6,
          column: 'dtime',
          firstValue: 'never',
        },
      ],
    });
  });

  it('counts values that were rounded and dates without a time of day', async () => {
    const path = own.csv(
      'values.csv',
      'unit_id,dtime,bytes_sec,threads,fetch_time',
      '1.0,2026-11-01T10:00:00Z,4709.6,8.0,1e7',
      '1,2026-11-01T15:45:00+05:45,-0.5,8,1000000.0',
      '1,2026-11-02,12,8,5',
      '1,2026-11-03 10:00:00,12,7.5,5',
      '1.5,2026-11-03 10:00:00,12,8,5',
    );
    const { stdout } = await load('httpget', path);
    expect(stdout).to.include('5 rows read: 2 rows loaded, 1 duplicate, 2 rejected');
    expect(stdout).to.include('2 values of bytes_sec were rounded to whole numbers');
    expect(stdout).to.include('1 dates without a time of day were read as 00:00 UTC');
    expect(stdout).to.include(
      'threads must be a whole number from 0 to 65535; first in line 5: "7.5"',
    );
    const rows = await own.stored('httpget', 'unit_id, dtime, bytes_sec, threads, fetch_time');
    expect(rows.map((row) => Object.values(row).map(String).join(' '))).to.deep.equal([
      '1 2026-11-01 10:00:00.000 4710 8 10000000',
      '1 2026-11-02 00:00:00.000 12 8 5',
    ]);
  });

  it('of a dry run has the same counts, and nothing is stored', async () => {
    const path = own.csv(
      'dry.csv',
      'unit_id,dtime,rtt_avg',
      '1,2026-11-01 10:00:00,1',
      '1,2026-11-01 10:00:00,1',
      '1,never,1',
    );
    const { code, stdout } = await load('latency', '--dry-run', path);
    expect(code).to.equal(0);
    expect(stdout).to.include('3 rows read: 1 rows would be loaded, 1 duplicate, 1 rejected');
    expect(stdout).to.include('1 agents would be registered');
    expect(await own.stored('latency', 'unit_id')).to.deep.equal([]);
    const agents = own.stack
      .database('agents')
      .where({ organisation_id: own.tenant.organisationId });
    expect(await agents.select()).to.deep.equal([]);
    expect(existsSync(`${path}.rejects.csv`)).to.equal(true);
  });

  it('--max-rejects stops with an exit code of its own, by number and by percentage', async () => {
    const bad = ['1,never,1', '2,never,1'];
    const path = own.csv('limit.csv', 'unit_id,dtime,rtt_avg', '1,2026-11-01 10:00:00,1', ...bad);
    const byNumber = await load('latency', '--max-rejects', '1', path);
    expect(byNumber.code).to.equal(4);
    expect(byNumber.stderr).to.match(/^2 rows were rejected, more than --max-rejects 1\n/);
    expect(await own.stored('latency', 'unit_id')).to.deep.equal([]);
    const byShare = await load('latency', '--max-rejects', '60%', path);
    expect(byShare.code).to.equal(4);
    expect(byShare.stderr).to.match(/^2 of 3 rows were rejected, more than --max-rejects 60%\n/);
    expect((await load('latency', '--max-rejects', '67%', path)).code).to.equal(0);
    expect((await load('latency', '--max-rejects', 'few', path)).code).to.equal(2);
  });

  it('of several files names the one that added nothing', async () => {
    const good = own.csv('good.csv', 'unit_id,dtime', '1,2026-11-01 10:00:00');
    const bad = own.csv('all-bad.csv', 'unit_id,dtime', '1,never');
    const { code, stdout, stderr } = await load('latency', good, bad);
    expect(code).to.equal(5);
    expect(stdout).to.include(
      'total: 2 rows read: 1 loaded, 0 already there, 0 duplicates, 1 rejected',
    );
    expect(stderr).to.include('all-bad.csv: all 1 rows were rejected; line 2, column dtime');
  });
});
