import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { localStack } from '../../support/local-stack.ts';
import { runNetpanel } from '../../support/netpanel.ts';
import { plainRequest } from '../../support/plain-request.ts';

const request = {
  ...plainRequest,
  aggregation: 'total',
  prefilter: true,
  time: { from: '2026-11-01 00:00', to: '2026-11-01 23:59' },
};

const stack = await localStack();

describe('netpanel explain', () => {
  let folder: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'netpanel-explain-'));
  });

  after(() => rm(folder, { recursive: true }));

  it('prints SQL that runs unchanged in ClickHouse', async () => {
    const { code, stdout } = await explain(request);
    expect(code).to.equal(0);
    expect(stdout).to.match(/-- Reads about \d+ rows/);
    const result = await stack.clickhouse.query({
      query: stdout.slice(0, stdout.lastIndexOf(';')),
      format: 'JSONEachRow',
    });
    const rows = await result.json<{ sampleCount: number }>();
    expect(rows[0]?.sampleCount).to.be.greaterThan(0);
  });

  it('takes the options of netpanel query, alone or with a file', async () => {
    const fromFile = await explain({ ...request, splits: ['isp'] });
    const range = ['--from', '2026-11-01 00:00', '--to', '2026-11-01 23:59'];
    const fromFlags = await run('explain', 'httpget', '-a', 'total', '-s', 'isp', ...range);
    expect(fromFlags).to.deep.equal(fromFile);
    expect(await explain(request, '--split', 'isp')).to.deep.equal(fromFile);
    const wrong = await run('explain', 'httpget', '--split', 'isps');
    expect(wrong.code).to.equal(2);
    expect(wrong.stderr).to.include('--split isps: Unknown field "isps". Did you mean "isp"?');
  });

  it('prints the complete response with --json, for test data too', async () => {
    const { stdout } = await explain(
      { test: 'ping', date: { from: '2026', to: '2026' } },
      '--json',
    );
    expect(JSON.parse(stdout)).to.have.all.keys('sql', 'params', 'inlined', 'settings', 'estimate');
  });

  it('prints all errors of the request and fails', async () => {
    const { code, stdout, stderr } = await explain({ ...request, metric: 'htpget', time: 1 });
    expect(code).to.equal(2);
    expect(stdout).to.equal('');
    expect(stderr)
      .to.match(/metric: .*"httpget"/)
      .and.match(/time: /);
  });

  it('prints its usage without a metric and a file', async () => {
    const { code, stderr } = await runNetpanel({}, ['explain']);
    expect(code).to.equal(2);
    expect(stderr).to.include('METRIC is missing').and.to.include('netpanel explain request.json');
  });

  async function explain(body: unknown, ...options: string[]) {
    const path = join(folder, 'request.json');
    await writeFile(path, JSON.stringify(body));
    return run('explain', ...options, path);
  }

  function run(...args: readonly string[]) {
    const env = { QUERY_URL: stack.queryUrl, DATA_TOKEN: stack.env.DEMO_DATA_TOKEN ?? '' };
    return runNetpanel(env, [...args]);
  }
});
