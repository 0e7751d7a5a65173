import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { DataApi } from '../../support/data-api.ts';
import { localStack } from '../../support/local-stack.ts';
import { netpanel, netpanelOk } from '../../support/netpanel.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { runBuilt } from '../../support/run-built.ts';
import { newTenantToken } from '../../support/tenant.ts';

const fixtures = join(repositoryRoot, 'test/fixtures/mba');

const stack = await localStack();

describe('netpanel load-mba', () => {
  let folder: string;
  let org: string;

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'netpanel-mba-'));
  });
  beforeEach(() => {
    org = `mba-${randomBytes(4).toString('hex')}`;
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const organisationId = async () => {
    const row = await stack
      .database<{ id: number; name: string }>('organisations')
      .where({ name: org })
      .first('id');
    return row!.id;
  };
  const stored = async (test: string, columns: string): Promise<object[]> => {
    const result = await stack.clickhouse.query({
      query: `SELECT ${columns} FROM test_${test} FINAL
WHERE organisation_id = ${await organisationId()} ORDER BY ALL`,
      format: 'JSONEachRow',
    });
    return result.json();
  };
  const load = (path: string, profile: string, ...args: string[]) =>
    netpanelOk(stack, 'load-mba', '--org', org, '--profile', profile, ...args, path);
  const profile2021 = join(fixtures, 'unit-profile-2021.csv');

  it('loads a downloaded folder: each file into its test, units with their packages', async () => {
    const output = await load(fixtures, profile2021);
    expect(output.trim().split('\n')).to.deep.equal([
      `organisation ${org} added`,
      'the profile is valid from 2021-09-01, according to curr_dlping.csv',
      '3 units in the profile: 3 added, metadata of 3 changed, 3 packages added',
      'curr_dlping.csv: ping: 1 rows read: 1 rows loaded',
      'curr_httpget6.csv: httpget: 1 rows read: 1 rows loaded',
      'curr_httpgetmt.csv: httpget: 5 rows read: 5 rows loaded',
      '  ignored columns: location_id',
      'curr_lct_dl.csv: skipped: no test for this file',
      'curr_udpcloss.csv: udpcloss: 1 rows read: 1 rows loaded',
      'curr_udplatency.csv: latency: 2 rows read: 2 rows loaded, 1 agents registered',
      '  1 agents have no time zone: their local time is UTC; first: 900009',
      '  1 agents have no package',
      'total: 10 rows read: 10 loaded, 0 already there, 0 duplicates, 0 rejected',
    ]);
    expect(await stored('ping', 'line_load, rtt_avg')).to.deep.equal([
      { line_load: 'download', rtt_avg: 90000 },
    ]);
    const unit2 = 'unit_id, ip_version, threads, bytes_sec, base';
    expect(await stored('httpget', unit2)).to.deep.include.members([
      { unit_id: 900002, ip_version: 4, threads: 8, bytes_sec: 12500000, base: 'wx8' },
      { unit_id: 900002, ip_version: 6, threads: 1, bytes_sec: 12000000, base: 'wx8' },
    ]);
    expect(await load(fixtures, profile2021)).to.include('0 rows loaded, 5 already there');
  });

  it('makes the median download by ISP and local hour of day available', async () => {
    await load(fixtures, profile2021);
    const api = new DataApi(
      stack.queryUrl,
      await newTenantToken(stack.database, await organisationId(), 'data'),
    );
    const queryPoints = () =>
      api.points<Point>({
        ...plainRequest,
        aggregation: 'hour_of_day',
        prefilter: true,
        splits: ['isp'],
        time: { from: '2021-09-01 00:00', to: '2021-09-30 23:59' },
      });
    const medians = (await queryPoints()).map((point) => {
      return `${point.isp} at ${point.aggregatedNumber}: ${point.median}`;
    });
    // 01:30 UTC is 20:30 in Chicago, 03:30 is 20:30 in Phoenix, 06:30 is 20:30 in Honolulu.
    expect(medians).to.have.members(['Lakeside at 20: 2.8', 'Harbor at 20: 100']);
  });

  it('loads the same files from a tar.gz', async () => {
    const archive = join(folder, 'release.tar.gz');
    execFileSync('tar', ['-czf', archive, '-C', join(fixtures, '..'), 'mba']);
    const output = await load(archive, join(fixtures, 'unit-profile-2017.csv'));
    expect(output).to.include('curr_httpgetmt.csv: httpget: 5 rows read: 5 rows loaded');
    expect(output).to.include('curr_udplatency.csv: latency: 2 rows read: 2 rows loaded');
    expect(await stored('httpget', 'unit_id')).to.have.length(6);
    expect(await netpanelOk(stack, 'package', 'list', '--org', org)).to.equal(
      'package\nHarbor:100/10\nLakeside:0.5-1/0.384\nLakeside:3/0.384\n',
    );
  });

  it('loads generated files of any size', async () => {
    const out = join(folder, 'sample');
    const args = ['mba', '--out', out, '--units', '20', '--days', '2'];
    const written = await runBuilt('deploy/local/sample/main.js', {}, args);
    expect(written.stdout).to.include('curr_httpgetmt.csv: 480 rows');
    const output = await load(out, join(out, 'unit-profile.csv'));
    expect(output).to.include('20 units in the profile: 20 added');
    expect(output).to.include('curr_dns.csv: dns: 1920 rows read: 1920 rows loaded');
    expect(output).to.match(/^total: .* 0 rejected$/m);
  });

  it('reports a folder without MBA files', async () => {
    const { code, stderr } = await netpanel(
      stack,
      'load-mba',
      '--org',
      org,
      join(fixtures, '../..', 'unit'),
    );
    expect(code).to.equal(1);
    expect(stderr).to.include('contains no file curr_*.csv');
  });

  const realDir = process.env.MBA_DATA_DIR;
  const profiles =
    realDir === undefined ? [] : readdirSync(realDir).filter((name) => name.includes('profile'));
  for (const profile of profiles) {
    it(`loads the published excerpts with ${profile}`, async () => {
      const output = await load(realDir!, join(realDir!, profile), '--rejects', folder);
      expect(output).to.include('curr_httpgetmt.csv: httpget: 25 rows read: 25 rows loaded');
      expect(output).to.match(/curr_udplatency\.csv: latency: \d+ rows read: \d+ rows loaded/);
      expect(output).to.match(/curr_udpjitter\.csv: jitter: 10 rows read: 10 rows loaded/);
      expect(output).to.match(/^total: .* 0 rejected$/m);
    });
  }
});

interface Point {
  readonly isp: string | null;
  readonly aggregatedNumber: number;
  readonly median: number;
}
