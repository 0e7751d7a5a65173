import { randomBytes } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { xlsxWorkbook } from '../../../deploy/local/sample/mba/xlsx-workbook.ts';
import { queryRows } from '../../../services/shared/clickhouse/query-rows.ts';
import { DataApi } from '../../support/data-api.ts';
import { localStack } from '../../support/local-stack.ts';
import { netpanelOk } from '../../support/netpanel.ts';
import { plainRequest } from '../../support/plain-request.ts';

/** Download in Mbit/s of each unit in 2012 and 2013; its latency is the unit's number in ms. */
const speeds = { 1: [10, 11], 2: [20, 21], 3: [40, 41] } as const;

const stack = await localStack();

describe('units that the FCC excluded from some metrics', () => {
  let folder: string;
  let org: string;
  let token: string;
  let organisationId: number;
  let loadedAt: string;

  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'netpanel-exclusions-'));
    org = `mba-${randomBytes(4).toString('hex')}`;
    await netpanelOk(stack, 'load-mba', '--org', org, ...release(2013, 1));
    loadedAt = new Date().toISOString();
    const list = xlsxWorkbook({
      Excluded: [
        ['Units excluded'],
        ['Unit ID', 'ISP', 'ISP_DL_24H', 'ISP_VS_3.75', 'ISP_FTP_1'],
        ['1', 'Lake', '', 'x', 'x'],
        ['2', 'Lake', 'x', '0', ''],
        ['3', 'Lake', '', '', ''],
      ],
    });
    const excluded = join(folder, 'units-excluded-april2012.xlsx');
    writeFileSync(excluded, list);
    const output = await netpanelOk(
      stack,
      ...['load-mba', '--org', org, '--excluded', excluded, ...release(2012, 0)],
    );
    expect(output).to.include('2 units are excluded from some metrics: 1, 2');
    expect(output).to.include(
      '1 marks in the column ISP_FTP_1 exclude nothing, because its metrics are unknown.',
    );
    expect(output).to.include('curr_httpgetmt.csv: httpget: 3 rows read: 3 rows loaded');
    const created = ['token', 'create', '--org', org, '--interface', 'data', '--label', 'a'];
    token = (await netpanelOk(stack, ...created)).trim();
    const row = await stack
      .database<{ id: number; name: string }>('organisations')
      .where({ name: org })
      .first('id');
    organisationId = row!.id;
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  /** The arguments of load-mba. */
  function release(year: number, at: 0 | 1): readonly string[] {
    const path = join(folder, `release-${year}`);
    mkdirSync(path, { recursive: true });
    const profile = join(folder, `unit-profile-april${year}.csv`);
    const units = Object.entries(speeds);
    const lines = (header: string, line: (unit: string, mbps: number) => string) =>
      `${[header, ...units.map(([unit, mbps]) => line(unit, mbps[at]))].join('\n')}\n`;
    writeFileSync(
      profile,
      lines(
        'Unit ID,ISP,Technology,State,timezone_offset,timezone_offset_dst,Download,Upload',
        (unit) => `${unit},Lake,DSL,NY,-5,-4,50,5`,
      ),
    );
    writeFileSync(
      join(path, 'curr_httpgetmt.csv'),
      lines(
        'unit_id,dtime,target,bytes_sec,successes,failures',
        (unit, mbps) => `${unit},${year}-04-10 12:00:00,a,${mbps * 125_000},1,0`,
      ),
    );
    writeFileSync(
      join(path, 'curr_udplatency.csv'),
      lines(
        'unit_id,dtime,target,rtt_avg,successes,failures',
        (unit) => `${unit},${year}-04-10 12:00:00,a,${Number(unit) * 1000},100,0`,
      ),
    );
    return ['--profile', profile, path];
  }

  const request = (changes: object) => ({
    ...plainRequest,
    aggregation: 'yearly',
    time: { from: '2012-01-01', to: '2012-12-31' },
    ...changes,
  });
  const points = (changes: object, by = token) =>
    new DataApi(stack.queryUrl, by).points(request(changes));
  const means = async (changes: object) =>
    (await points(changes)).map(({ metricValue, sampleCount }) => [metricValue, sampleCount]);

  it('are left out of these metrics only, in the time of the release only', async () => {
    expect(await means({})).to.deep.equal([[25, 2]]);
    expect(await means({ agent_agg: true })).to.deep.equal([[25, 2]]);
    expect(await means({ normalised: true })).to.deep.equal([[25, 2]]);
    expect(await means({ metric: 'udpLatency' })).to.deep.equal([[2, 3]]);
    const later = { time: { from: '2013-01-01', to: '2013-12-31' } };
    expect((await means(later))[0]?.[1]).to.equal(3);
  });

  it('are left out of raw results and CSV files; test_data has all rows', async () => {
    const raw = await points({ chartType: 'raw' });
    expect(raw.map(({ unit, metricValue }) => [unit, metricValue])).to.deep.equal([
      ['1', 10],
      ['3', 40],
    ]);
    const api = new DataApi(stack.queryUrl, token);
    const household = { household: { statistic: 'mean' } };
    const { body } = await api.post('/metric_data.csv', request(household));
    const csv = await (await fetch((body.data as { url: string }).url)).text();
    const [header = '', line = ''] = csv.trim().split('\n');
    const cell = (name: string) =>
      line.split(',')[header.split(',').findIndex((title) => title.includes(name))];
    expect([cell('metricValue'), cell('resultsExcluded')]).to.deep.equal(['25', '1']);
    const rows = await api.post('/test_data', {
      test: 'httpget',
      date: { from: '2012-04-10', to: '2012-04-10' },
    });
    expect(JSON.stringify(rows.body)).to.include('2500000');
  });

  it('are counted in the points of reports, also with a filter, stays and knownAt', async () => {
    const reports = [
      { minAgents: 1 },
      { household: { statistic: 'mean' } },
      { household: { statistic: 'median', trim: [1, 99], minResults: 1 } },
      { household: { statistic: 'mean' }, switchers: 'longest', splits: ['isp'] },
      { householdIntervals: true, normalised: true },
      { agent_agg: true, minAgents: 1 },
      { minAgents: 1, knownAt: new Date().toISOString() },
    ];
    for (const report of reports) {
      const [point] = await points(report);
      const { metricValue, leftOut } = point as { metricValue: number; leftOut: object };
      expect(metricValue, JSON.stringify(report)).to.equal(25);
      expect(leftOut, JSON.stringify(report)).to.include({ resultsExcluded: 1 });
    }
    const [before] = await points({ minAgents: 1, knownAt: loadedAt });
    // The list was not loaded yet.
    expect(before).to.nested.include({ sampleCount: 3, 'leftOut.resultsExcluded': 0 });
    const [unit] = await points({
      household: { statistic: 'mean' },
      filters: [{ id: 'unit', filterType: 'include', filterValues: ['2'] }],
    });
    expect(unit).to.nested.include({ metricValue: null, 'leftOut.resultsExcluded': 1 });
  });

  it('are not shown to a token with a privacy floor', async () => {
    const created = ['token', 'create', '--org', org, '--interface', 'data', '--label', 'floor'];
    const floored = (await netpanelOk(stack, ...created, '--min-agents', '3')).trim();
    const [point] = await points({ minAgents: 1 }, floored);
    expect(point).to.nested.include({ suppressed: true, 'leftOut.resultsExcluded': null });
    const [latency] = await points({ metric: 'udpLatency', minAgents: 1 }, floored);
    expect(latency).to.nested.include({ metricValue: 2, 'leftOut.resultsExcluded': 0 });
  });

  it('have a column in the views of analysts', async () => {
    const [row] = await queryRows<object>(
      stack.clickhouse,
      `SELECT avg(value) AS mean, toUInt32(count()) AS n FROM metric_httpget
WHERE organisation_id = ${organisationId} AND NOT excluded AND local_date < '2013-01-01'`,
    );
    expect(row).to.deep.equal({ mean: 25, n: 2 });
  });

  it('are included again after a release that does not exclude them, and with --include-excluded', async () => {
    await netpanelOk(stack, 'load-mba', '--org', org, '--rewrite', ...release(2012, 0));
    expect(await means({})).to.deep.equal([[expected(0), 3]]);
    const list = join(folder, 'list.csv');
    writeFileSync(list, 'unit_id,ISP_DL_24H\n2,x\n');
    const loadWith = (...args: readonly string[]) =>
      netpanelOk(
        stack,
        ...['load-mba', '--org', org, '--rewrite', '--excluded', list],
        ...args,
        ...release(2012, 0),
      );
    await loadWith();
    expect(await means({})).to.deep.equal([[25, 2]]);
    await loadWith('--include-excluded');
    expect(await means({})).to.deep.equal([[expected(0), 3]]);
  });
});

function expected(at: 0 | 1): number {
  const values = Object.values(speeds).map((mbps) => mbps[at]);
  return values.reduce((sum, mbps) => sum + mbps, 0) / values.length;
}
