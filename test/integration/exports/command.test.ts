import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { expect } from 'chai';
import { type LocalStack, localStack } from '../../support/local-stack.ts';
import type { ProcessResult } from '../../support/run-built.ts';
import { runNetpanel } from '../../support/netpanel.ts';

describe('netpanel export', () => {
  let stack: LocalStack;
  let folder: string;

  before(async () => {
    stack = await localStack();
    folder = await mkdtemp(join(tmpdir(), 'netpanel-cli-'));
    const date = { from: '2026-11-01', to: '2026-11-02' };
    await writeFile(join(folder, 'request.json'), JSON.stringify({ test: 'dns', date }));
    await writeFile(join(folder, 'wrong.json'), JSON.stringify({ test: 'dsn', date }));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('saves the CSV of a request and prints its size', async () => {
    const { code, stderr } = await netpanel('request.json', '-o', join(folder, 'out.csv'));
    expect(code, stderr).to.equal(0);
    const file = await readFile(join(folder, 'out.csv'), 'utf8');
    expect(file).to.match(/^"base","ddate","dtime","agent_id","unit_id",/);
    const lines = file.trimEnd().split('\n').length;
    expect(lines).to.be.greaterThan(100);
    expect(stderr).to.include(`${lines - 1} rows, ${Buffer.byteLength(file)} bytes`);
  });

  it('saves the format that the suffix of the file names', async () => {
    const { code, stderr } = await netpanel('request.json', '-o', join(folder, 'out.csv.gz'));
    expect(code, stderr).to.equal(0);
    const parquet = join(folder, 'out.PARQUET');
    expect((await netpanel('request.json', '-o', parquet)).code).to.equal(0);
    expect((await readFile(parquet)).subarray(0, 4).toString()).to.equal('PAR1');
    const named = join(folder, 'named.bin');
    await netpanel('request.json', '--format', 'parquet', '-o', named);
    expect((await readFile(named)).equals(await readFile(parquet))).to.equal(true);
    const gzipped = await readFile(join(folder, 'out.csv.gz'));
    expect(gunzipSync(gzipped).equals(await readFile(join(folder, 'out.csv')))).to.equal(true);
  });

  it('refuses a format that contradicts the suffix, or a suffix without a format', async () => {
    for (const [args, message] of [
      [['--format', 'csv', '-o', join(folder, 'no.parquet')], '--format csv contradicts the file'],
      [['--format', 'parquet', '-o', join(folder, 'no.csv')], '--format parquet contradicts'],
      [['--format', 'csv', '-o', join(folder, 'no.csv.gz')], '--format csv contradicts the file'],
      [['--format', 'xlsx', '-o', join(folder, 'no.xlsx')], '--format must be one of csv.gz, csv'],
      [['-o', join(folder, 'no.json')], '.json is not a format. Use .csv.gz, .csv, .parquet'],
      [['--split', 'isp', '-o', join(folder, 'no.csv')], '--split is for metric data'],
    ] as const) {
      const { code, stderr } = await netpanel('request.json', ...args);
      expect(code, stderr).to.equal(2);
      expect(stderr).to.include(message);
    }
    expect((await readdir(folder)).filter((name) => name.startsWith('no.'))).to.deep.equal([]);
  });

  it('takes the options of netpanel query', async () => {
    const file = join(folder, 'metric.csv');
    const range = ['--from', '2026-11-01', '--to', '2026-11-02'];
    const request = ['httpget', '-s', 'isp', '-f', 'isp=Northwave', ...range];
    const { code, stderr } = await run('export', ...request, '-o', file);
    expect(code, stderr).to.equal(0);
    const { stdout } = await run('query', ...request, '--format', 'csv');
    expect(stdout).to.match(/^"isp",.*,"partial"\n"Northwave",/);
    expect(await readFile(file, 'utf8')).to.equal(stdout);
    const wrong = await run('export', 'httpgett', ...range, '-o', file);
    expect(wrong.code).to.equal(2);
    expect(wrong.stderr).to.include('METRIC: Unknown metric "httpgett". Did you mean "httpget"?');
  });

  it('writes the file to standard output with -o -', async () => {
    const { code, stdout, stderr } = await netpanel('request.json', '-o', '-');
    expect(code, stderr).to.equal(0);
    expect(stdout).to.equal(await readFile(join(folder, 'out.csv'), 'utf8'));
    expect(stderr).to.match(/^standard output: \d+ rows, \d+ bytes\n$/);
    expect(await readdir(folder)).not.to.include.members(['-']);
  });

  it('prints the errors of an invalid request and saves nothing', async () => {
    const { code, stderr } = await netpanel('wrong.json', '-o', join(folder, 'wrong.csv'));
    expect(code).to.equal(2);
    expect(stderr).to.include('The request is invalid:').and.to.include('test: ');
    expect(await readdir(folder)).not.to.include.members(['wrong.csv']);
  });

  it('prints one line if the folder of the file does not exist', async () => {
    const path = join(folder, 'missing', 'out.csv');
    const { code, stderr } = await netpanel('request.json', '-o', path);
    expect(code).to.equal(1);
    expect(stderr.trim().split('\n')).to.have.length(1);
    expect(stderr).to.include('no such file or directory').and.to.include(path);
  });

  it('prints its usage if --output is missing', async () => {
    const { code, stderr } = await netpanel('request.json');
    expect(code).to.equal(2);
    expect(stderr).to.include('--output is missing').and.to.include('netpanel export');
  });

  function netpanel(request: string, ...args: readonly string[]): Promise<ProcessResult> {
    return run('export', join(folder, request), ...args);
  }

  function run(...args: readonly string[]): Promise<ProcessResult> {
    const env = { QUERY_URL: stack.queryUrl, DATA_TOKEN: stack.env.DEMO_DATA_TOKEN! };
    return runNetpanel(env, args);
  }
});
