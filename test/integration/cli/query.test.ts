import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { expect } from 'chai';
import { shortNumber } from '../../../services/cli/query/result-table.ts';
import { DataApi } from '../../support/data-api.ts';
import { localStack } from '../../support/local-stack.ts';
import { runNetpanel, spawnNetpanel } from '../../support/netpanel.ts';
import { plainRequest } from '../../support/plain-request.ts';
import { runProgram } from '../../support/run-program.ts';
import type { ProcessResult } from '../../support/run-built.ts';
import { week } from '../../support/sample-week.ts';
import { newTenant } from '../../support/tenant.ts';

const range = ['--from', week.from, '--to', week.to];

const stack = await localStack();

describe('netpanel query', () => {
  let folder: string;
  let env: Record<string, string>;

  before(async () => {
    env = { QUERY_URL: stack.queryUrl, DATA_TOKEN: stack.env.DEMO_DATA_TOKEN! };
    folder = await mkdtemp(join(tmpdir(), 'netpanel-query-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('prints the numbers of the service as a table', async () => {
    const { code, stdout, stderr } = await query(
      ...['httpget', '-a', 'total', '-s', 'isp', ...range, '--format', 'table'],
    );
    expect(code, stderr).to.equal(0);
    const [title, header, ...lines] = stdout.trimEnd().split('\n');
    expect(title).to.equal('Download speed, mbps');
    expect(header).to.match(/^isp +metricValue +ci95 +median +sampleCount +agentCount$/);
    const points = await pointsOf({ aggregation: 'total', splits: ['isp'] });
    const shown = lines.map((line) => line.split(/ {2,}/).map((cell) => cell.trim()));
    expect(shown.map(([isp, , , , samples]) => [isp, Number(samples)])).to.deep.equal(
      points.map(({ isp, sampleCount }) => [isp ?? '-', sampleCount]),
    );
    expect(Number(shown[0]?.[1])).to.be.closeTo(points[0]!.metricValue, 0.1);
  });

  it('prints CSV if standard output is not a terminal, and JSON as the service sends it', async () => {
    const csv = await query('httpget', '-s', 'isp', ...range);
    expect(csv.stdout).to.match(/^"isp","metricValue","dtime",/);
    const points = await pointsOf({ aggregation: 'daily', splits: ['isp'] });
    expect(csv.stdout.trimEnd().split('\n')).to.have.length(points.length + 1);
    const json = await query('httpget', '-s', 'isp', ...range, '--format', 'json');
    const { code, data } = JSON.parse(json.stdout) as {
      code: string;
      data: { metricData: Point[] }[];
    };
    expect(code).to.equal('OK');
    expect(data.flatMap(({ metricData }) => metricData)).to.deep.equal(points);
  });

  it('filters, selects hours and divides into households as its flags say', async () => {
    const { stdout } = await query(
      ...[
        'httpget',
        '-a',
        'total',
        '-f',
        'isp=Northwave',
        '-f',
        'isp=Harbour Cable',
        '-f',
        'country!=FR',
      ],
      ...[
        '--hours',
        '19-22',
        '--days',
        'mon-fri',
        '--household',
        'median',
        '--no-prefilter',
        ...range,
      ],
      ...['--format', 'json'],
    );
    const { data } = JSON.parse(stdout) as { data: { metricData: Point[] }[] };
    const points = await pointsOf({
      aggregation: 'total',
      prefilter: false,
      household: { statistic: 'median' },
      window: { days: ['mon', 'tue', 'wed', 'thu', 'fri'], hours: [19, 20, 21, 22] },
      filters: [
        { id: 'isp', filterType: 'include', filterValues: ['Northwave', 'Harbour Cable'] },
        { id: 'country', filterType: 'exclude', filterValues: ['FR'] },
      ],
    });
    expect(points[0]?.sampleCount).to.be.greaterThan(0);
    expect(data[0]?.metricData).to.deep.equal(points);
  });

  it('draws a line of seven blocks for each ISP and day of a week', async () => {
    const { code, stdout, stderr } = await query('httpget', '-s', 'isp', ...range, '--chart');
    expect(code, stderr).to.equal(0);
    expect(stdout).to.match(/^Northwave +[▁▂▃▄▅▆▇█]{7} {2}\d/m);
    expect(stdout).to.include('2026-11-01 to 2026-11-07, scale 0 to ');
  });

  it('compares totals as the service does: a table of both sides, and a sentence per series', async () => {
    const { code, stdout, stderr } = await query(
      ...['httpget', '-s', 'isp', ...range, '--compare-to', 'rest', '--format', 'table'],
    );
    expect(code, stderr).to.equal(0);
    const [table = '', sentences = ''] = stdout.trimEnd().split('\n\n');
    const [, header, ...lines] = table.split('\n');
    expect(header).to.match(
      /^isp +metricValue +compared +difference +percent +differenceCi95 +p +pAdjusted +both +onlyHere +onlyThere$/,
    );
    const points = await pointsOf({
      aggregation: 'total',
      splits: ['isp'],
      compare: { to: 'rest' },
    });
    // Two runs of a query add up in another order: the digits of a p below the error of 1e-9 differ.
    const settled = (cell: string) => cell.replace(/^\d.*e-(9|\d\d)$/, 'tiny');
    expect(lines.map((line) => line.split(/ {2,}/).map(settled))).to.deep.equal(
      points.map(({ isp, metricValue, compared, difference, households }) => [
        isp ?? '-',
        ...[metricValue, compared!.metricValue].map(shortNumber),
        ...['metricValue', 'percent', 'ci95', 'p', 'pAdjusted'].map((name) =>
          settled(shortNumber(difference![name]!)),
        ),
        ...['both', 'onlyHere', 'onlyThere'].map((name) => String(households![name])),
      ]),
    );
    expect(sentences.split('\n')).to.have.length(points.length);
    // In a sample panel of any seed, its lines are slower than those of the others.
    const slow = lines.find((line) => line.startsWith('Sagarmatha Net'))!.split(/ {2,}/);
    const [, own, other, less, percent] = slow.map((cell) => cell.replace(/^-/, ''));
    expect(sentences).to.match(
      new RegExp(
        `^Sagarmatha Net: ${own}, ${less} \\(${percent} %\\) less than ${other}; 95 % interval -[\\d.]+ to -[\\d.]+, p < 0.001 \\(adjusted < 0.001\\), 0 households on both sides, ${slow.at(-2)} only here, ${slow.at(-1)} only there\\.$`,
        'm',
      ),
    );
  });

  it('compares the days of a week with those of another in one sentence, and not in CSV', async () => {
    const args = ['httpget', ...range, '--compare-time', '2026-10-20/2026-10-26', '-a', 'daily'];
    const table = await query(...args, '--format', 'table');
    expect(table.stdout).to.match(/\n\nall: .+ 7 buckets.*\.\n$/);
    const csv = await query(...args);
    expect(csv.stdout).to.include('"comparedDtime"').and.not.include('buckets');
    expect(csv.stdout.trimEnd().split('\n')).to.have.length(8);
  });

  it('names the options of a comparison that the service refuses, and draws none', async () => {
    const { code, stderr } = await query(
      ...['httpget', ...range, '--compare-time', 'yesterdai/now', '--compare-agents', 'some'],
      ...['--compare-filter', 'packge=x'],
    );
    expect(code).to.equal(2);
    expect(stderr).to.include('--compare-time: Invalid time.');
    expect(stderr).to.include('--compare-agents: Send "all" or "both".');
    expect(stderr).to.include('--compare-filter packge=x: Unknown field "packge".');
    const chart = await query('httpget', ...range, '--compare-to', 'rest', '--chart');
    expect(chart.code).to.equal(2);
    expect(chart.stderr).to.include('--chart does not draw comparisons');
  });

  it('takes the request from a file or standard input, and replaces fields by flags', async () => {
    const file = join(folder, 'request.json');
    const body = { ...requestBody, aggregation: 'daily', splits: ['isp'] };
    await writeFile(file, JSON.stringify(body));
    const total = await query('--file', file, '-a', 'total', '--format', 'json');
    const { data } = JSON.parse(total.stdout) as { data: { metricData: Point[] }[] };
    expect(data.flatMap(({ metricData }) => metricData)).to.deep.equal(
      await pointsOf({ aggregation: 'total', splits: ['isp'] }),
    );
    const child = spawnNetpanel({ env }, 'query', '--file', '-', '--format', 'csv');
    child.stdin.end(JSON.stringify(body));
    const fromInput = await text(child.stdout);
    expect(fromInput).to.equal((await query('--file', file, '--format', 'csv')).stdout);
  });

  it('reports errors of the service in the words of its flags', async () => {
    const { code, stdout, stderr } = await query(
      ...['httpgett', '-s', 'isps', '-f', 'packge=x', '--from', 'yesterdai', '--hours', '19'],
    );
    expect({ code, stdout }).to.deep.equal({ code: 2, stdout: '' });
    expect(stderr).to.include('METRIC: Unknown metric "httpgett". Did you mean "httpget"?');
    expect(stderr).to.include('--split isps: Unknown field "isps". Did you mean "isp"?');
    expect(stderr).to.include('--filter packge=x: Unknown field "packge". Did you mean "package"?');
    expect(stderr).to.include('--from: Invalid time.');
    expect(stderr).to.not.include('filters[0]');
    const file = join(folder, 'wrong.json');
    await writeFile(file, JSON.stringify({ ...requestBody, splits: ['isps'] }));
    expect((await query('--file', file)).stderr).to.include(`${file}: splits[0]: Unknown field`);
  });

  it('prints a warning about a value that no agent has, and says that nothing matched', async () => {
    const { code, stderr } = await query(
      'httpget',
      '-f',
      'isp=Nortwave',
      ...range,
      '--format',
      'table',
    );
    expect(code).to.equal(0);
    expect(stderr).to.match(/warning: --filter isp=Nortwave: .*Did you mean "Northwave"\?/);
    expect(stderr).to.include('No results match the request.');
  });

  it('uses --url and --token instead of the environment, and never sends the demo token to another --url', async () => {
    const tenant = await newTenant(stack.database);
    const args = ['query', 'httpget', ...range, '--format', 'json', '--url', stack.queryUrl];
    const { stdout } = await runNetpanel({}, [...args, '--token', tenant.dataToken]);
    expect((JSON.parse(stdout) as { data: unknown }).data).to.deep.equal([{ metricData: [] }]);
    const { code, stderr } = await runNetpanel({ DEMO_DATA_TOKEN: env.DATA_TOKEN! }, args);
    expect(code).to.equal(2);
    expect(stderr).to.include('DATA_TOKEN is not set');
  });

  it('refuses a file of test data, invalid JSON and unknown columns', async () => {
    const file = join(folder, 'test.json');
    await writeFile(file, '{"test": "dns"}');
    expect((await query('--file', file)).stderr).to.include('is a request for test data');
    await writeFile(file, '{');
    expect((await query('--file', file)).stderr).to.include('is not valid JSON');
    const { code, stderr } = await query(
      ...['httpget', ...range, '--format', 'table', '--columns', 'median,mode'],
    );
    expect(code).to.equal(2);
    expect(stderr).to.include('the result has no mode. It has: metricValue, dtime,');
  });

  it('ends quietly if the reader of its output has enough', async () => {
    const program = join(import.meta.dirname, '../../../services/cli/netpanel.js');
    const line = `set -o pipefail; "$@" | head -n 1`;
    const args = ['query', 'httpget', '--raw', '--from', '2026-10-01', '--to', '2026-11-14'];
    const { code, stdout, stderr } = await runProgram(
      'bash',
      ['-c', line, 'bash', process.execPath, program, ...args],
      { env },
    );
    expect({ code, stderr }).to.deep.equal({ code: 0, stderr: '' });
    expect(stdout).to.equal('"metricValue","dtime","agent","unit"\n');
  });

  function query(...args: readonly string[]): Promise<ProcessResult> {
    return runNetpanel(env, ['query', ...args]);
  }

  const requestBody = {
    ...plainRequest,
    aggregation: 'total',
    prefilter: true,
    time: week,
  };

  async function pointsOf(changes: object): Promise<Point[]> {
    const api = new DataApi(stack.queryUrl, env.DATA_TOKEN!);
    return api.points<Point>({ ...requestBody, ...changes });
  }
});

interface Point {
  readonly isp?: string | null;
  readonly metricValue: number;
  readonly sampleCount: number;
  readonly compared?: { readonly metricValue: number };
  readonly difference?: Readonly<Record<string, number>>;
  readonly households?: Readonly<Record<string, number>>;
}
