import { randomBytes } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { zipArchive } from '../../../deploy/local/sample/mba/zip-archive.ts';
import { findOrganisation } from '../../../services/registry/organisations/organisations.ts';
import { DataApi } from '../../support/data-api.ts';
import { localStack, type LocalStack } from '../../support/local-stack.ts';
import { netpanel, netpanelOk } from '../../support/netpanel.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { runBuilt } from '../../support/run-built.ts';
import { newTenantToken } from '../../support/tenant.ts';

describe('netpanel load-mba of old releases', () => {
  let stack: LocalStack;
  let folder: string;
  let org: string;

  before(async () => {
    stack = await localStack();
    folder = mkdtempSync(join(tmpdir(), 'netpanel-old-'));
  });
  beforeEach(() => {
    org = `mba-${randomBytes(4).toString('hex')}`;
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  const load = (...args: readonly string[]) => netpanelOk(stack, 'load-mba', '--org', org, ...args);
  const sample = async (style: string, units: number, ...more: readonly string[]) => {
    const out = join(folder, `${style}-${randomBytes(3).toString('hex')}`);
    const args = ['mba', '--out', out, '--style', style, '--units', String(units), '--days', '2'];
    const { stdout } = await runBuilt('deploy/local/sample/main.js', {}, [
      ...args,
      ...['--starts', `${style}-01-01`, ...more],
    ]);
    return { out, stdout };
  };
  const stored = async <Row extends object>(query: string): Promise<Row[]> => {
    const organisation = await findOrganisation(stack.database, org);
    const result = await stack.clickhouse.query({
      query: query.replace('{org}', String(organisation)),
      format: 'JSONEachRow',
    });
    return result.json();
  };
  const points = async (metric: string, year: number, more: object = {}) => {
    const organisation = await findOrganisation(stack.database, org);
    const token = await newTenantToken(stack.database, organisation, 'data');
    const time = { from: `${year - 1}-12-31 00:00`, to: `${year}-12-31 23:59` };
    const request = { ...plainRequest, metric, aggregation: 'total', prefilter: true, time };
    return new DataApi(stack.queryUrl, token).points<Point>({ ...request, ...more });
  };

  it('leaves out the results of excluded units by default, and counts them', async () => {
    const { out, stdout } = await sample('2014', 20, '--zip');
    expect(stdout).to.include('curr_httpgetmt_2014_01.csv: 480 rows');
    const profile = ['--profile', join(out, 'unit-profile.xlsx')];
    const excluded = ['--excluded', join(out, 'excluded-units.xlsx')];
    const archive = join(out, 'release.zip');
    const output = await load(...profile, ...excluded, archive);
    expect(output).to.include(
      '4 units are excluded by the FCC: 3000001, 3000066, 3000131, 3000196\n',
    );
    expect(output).to.include(
      'the profile is valid from 2014-01-01, according to curr_httpgetmt_2014_01.csv',
    );
    // 2 days, 12 tests per day, 16 of 20 units.
    expect(output).to.include(
      'curr_httpgetmt_2014_01.csv: httpget: 480 rows read: 384 rows loaded, 96 of excluded units left out',
    );
    expect(output).to.include(
      'read with no header: columns in the order of the FCC’s data dictionary',
    );
    expect(output).to.match(/^total: .* 0 rejected, \d+ of excluded units left out$/m);
    const [units] = await stored<{ units: number; threads: number }>(
      'SELECT toUInt32(uniqExact(unit_id)) AS units, any(threads) AS threads FROM test_httpget WHERE organisation_id = {org}',
    );
    expect(units).to.deep.equal({ units: 16, threads: 8 });

    const all = await load(...profile, ...excluded, '--include-excluded', archive);
    expect(all).to.include(
      'curr_httpgetmt_2014_01.csv: httpget: 480 rows read: 96 rows loaded, 384 already there',
    );
    const byStatus = await points('httpget', 2014, { splits: ['status'] });
    expect(
      Object.fromEntries(byStatus.map(({ status, unitCount }) => [status, unitCount])),
    ).to.deep.equal({ included: 16, excluded: 2, REMOVE: 2 });
  });

  it('makes the FCC’s sustained speed of tests with several sequences available', async () => {
    const { out } = await sample('2011', 2);
    await load('--profile', join(out, 'unit-profile.xlsx'), '--include-excluded', out);
    // As the FCC computes it: the difference between the last two sequences.
    const text = readFileSync(join(out, 'curr_httpgetmt_2011_01.csv'), 'utf8');
    const rows = text
      .trim()
      .split('\n')
      .map((line) => line.split(','));
    const speeds = rows.flatMap((row, i) => {
      if (row[10] !== '5') return [];
      const before = rows[i - 1]!;
      const [bytes, micros] = [5, 4].map((column) => Number(row[column]) - Number(before[column]));
      return [(bytes! * 8) / micros!];
    });
    expect(speeds).to.have.length.greaterThan(40);
    const mean = (values: readonly number[]) => values.reduce((a, b) => a + b, 0) / values.length;
    const [sustained] = await points('httpget_sustained', 2011);
    expect(sustained?.sampleCount).to.equal(speeds.length);
    expect(sustained?.metricValue).to.be.closeTo(mean(speeds), 1e-6);
    // The mean of the whole test has the burst of the first interval.
    const [whole] = await points('httpget', 2011);
    expect(whole!.metricValue).to.be.greaterThan(sustained!.metricValue * 1.02);
  });

  it('makes the disconnections of a release available', async () => {
    const path = join(folder, 'curr_udpcloss_2012_03.csv');
    const rows = [
      '1,2012-03-01 10:00:00,4500000,host,192.0.2.1,3,7',
      '1,2012-03-02 10:00:00,1500000,host,192.0.2.1,1,7',
      '2,2012-03-01 10:00:00,0,host,192.0.2.1,1,7',
    ];
    writeFileSync(path, `${rows.join('\n')}\n`);
    const output = await load(path);
    expect(output).to.include('udpcloss: 3 rows read: 3 rows loaded, 2 agents registered');
    const [kept] = await points('disconnectionDuration', 2012);
    expect(kept).to.include({ metricValue: 3, sampleCount: 2, unitCount: 1 });
    const [all] = await points('disconnectionDuration', 2012, { prefilter: false });
    expect(all).to.include({ metricValue: 2, sampleCount: 3, unitCount: 2 });
  });

  it('refuses a file without a header whose columns are unknown, and rejects rows by their line', async () => {
    const archive = join(folder, 'mixed.zip');
    const good = '\uFEFF1,2014-01-01 10:00:00,192.0.2.1,host,192.0.2.2,4000,1,0,7\n';
    const bad = '1,2014-01-01 11:00:00,192.0.2.1,host,192.0.2.2,fast,1,0,7\n';
    writeFileSync(
      archive,
      zipArchive({
        'a/curr_dns.csv': good + bad,
        'b/curr_dns.csv': bad + good.slice(1),
        'curr_ping_2014_01.csv': '1,2014-01-01 10:00:00,host,1\n',
      }),
    );
    const { code, stdout, stderr } = await netpanel(stack, 'load-mba', '--org', org, archive);
    expect(code, stdout).to.equal(5);
    expect(stderr).to.include(
      'curr_ping_2014_01.csv: the file has no header, and line 1 has 4 columns',
    );
    expect(stdout).to.include('curr_dns.csv: dns: 2 rows read: 1 rows loaded, 1 rejected');
    expect(stdout).to.include('first in line 2: "fast"');
    // The reject file of a second file of the same name does not replace the first.
    expect(stdout).to.include('mixed.zip/b/curr_dns.csv: dns: 2 rows read:');
    expect(stdout).to.include('first in line 1: "fast"');
    for (const name of ['curr_dns.csv', 'mixed.zip_b_curr_dns.csv']) {
      expect(existsSync(join(folder, `${name}.rejects.csv`)), name).to.equal(true);
    }
  });
});

interface Point {
  readonly status?: string;
  readonly metricValue: number;
  readonly sampleCount: number;
  readonly unitCount: number;
}
