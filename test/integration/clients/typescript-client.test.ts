import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { localStack } from '../../support/local-stack.ts';
import { runProgram } from '../../support/run-program.ts';
import { skipBecause } from '../../support/skip-because.ts';

describe('the TypeScript client of make client, in an empty project', () => {
  const project = mkdtempSync(join(tmpdir(), 'netpanel-client-'));
  const packed = join(project, 'packed');

  before(async function () {
    const script = join(repositoryRoot, 'dist/openapi/write-client.js');
    // Twice: the tarball must not contain that of an earlier run.
    for (const run of ['first run', 'second run']) {
      const { code, stderr } = await runProgram(process.execPath, [script, packed]);
      expect(code, `${run}: ${stderr}`).to.equal(0);
    }
    const tarball = readdirSync(packed).find((name) => name.endsWith('.tgz')) ?? '';
    write('package.json', JSON.stringify({ private: true, type: 'module' }));
    const install = ['install', '--no-audit', '--no-fund', join(packed, tarball)];
    const { code, stderr } = await runProgram('npm', install, { cwd: project });
    if (isOffline.test(stderr)) skipBecause(this, `npm cannot reach a registry: ${stderr}`);
    expect(code, stderr).to.equal(0);
  });
  after(() => rmSync(project, { recursive: true, force: true }));

  it('installs with its dependency and without the files of netpanel', () => {
    const inside = readdirSync(join(project, 'node_modules/netpanel-client')).sort();
    expect(inside).to.deep.equal([
      'LICENSE',
      'README.md',
      ...['index.d.ts', 'index.js', 'ingest.d.ts', 'ingest.js', 'metadata.d.ts', 'metadata.js'],
      ...['package.json', 'query.d.ts', 'query.js'],
    ]);
    expect(readdirSync(join(project, 'node_modules'))).to.include('openapi-fetch');
  });

  it('compiles the example of its README, which prints data of a running stack', async () => {
    const stack = await localStack();
    const readme = readFileSync(join(project, 'node_modules/netpanel-client/README.md'), 'utf8');
    const example = /```ts\n(.*?)```/s.exec(readme)?.[1] ?? '';
    const program = example
      .replace('http://localhost:8080', stack.queryUrl)
      .replace('http://localhost:8081', stack.metadataUrl)
      .replace('npd_…', stack.env.DEMO_DATA_TOKEN!)
      .replace('npm_…', stack.env.DEMO_METADATA_TOKEN!)
      .replace("from: '-7 days', to: 'now'", "from: '2026-11-01', to: '2026-11-02'");
    write('example.ts', `${program}\nconsole.log(household.data?.data.isp);\n`);
    const compiled = await tsc('example.ts');
    expect(compiled.code, compiled.stdout).to.equal(0);
    const { code, stdout, stderr } = await runProgram(
      process.execPath,
      [join(project, 'example.js')],
      { cwd: project },
    );
    expect(code, stderr).to.equal(0);
    const lines = stdout.trimEnd().split('\n');
    expect(
      lines.filter((line) => /^Northwave 2026-11-0[12] \d+(\.\d+)?$/.test(line)),
    ).to.have.length(2);
    expect(lines.at(-1)).to.equal('Northwave');
  });

  it('does not compile a request with a misspelt aggregation', async () => {
    write(
      'wrong.ts',
      `import type { MetricQuery } from 'netpanel-client';
export const request: Pick<MetricQuery, 'aggregation'> = { aggregation: 'dayly' };\n`,
    );
    const { code, stdout } = await tsc('wrong.ts');
    expect(code).to.not.equal(0);
    expect(stdout).to.match(/wrong\.ts\(2,.*"dayly"/);
  });

  function write(name: string, content: string): void {
    writeFileSync(join(project, name), content);
  }

  // Without skipLibCheck: the declarations of the package are checked as well.
  function tsc(file: string) {
    const options = ['--strict', '--module', 'nodenext', '--target', 'es2022'];
    const program = join(repositoryRoot, 'node_modules/typescript/bin/tsc');
    return runProgram(process.execPath, [program, ...options, file], { cwd: project });
  }
});

const isOffline =
  /\b(ENOTFOUND|ECONNREFUSED|ECONNRESET|ETIMEDOUT|EAI_AGAIN|ENETUNREACH|ENOTCACHED)\b/;
