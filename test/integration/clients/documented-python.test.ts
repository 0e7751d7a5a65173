import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { localStack } from '../../support/local-stack.ts';
import { pythonVenv } from '../../support/python-venv.ts';
import { runProgram } from '../../support/run-program.ts';
import { clientPackages } from './client-packages.ts';

describe('docs/duckdb-pandas.md', function () {
  this.timeout(900_000);

  it('has Python that runs against the stack as it is written, block after block', async function () {
    const python = await pythonVenv(this, clientPackages);
    const stack = await localStack();
    const page = readFileSync(join(repositoryRoot, 'docs/duckdb-pandas.md'), 'utf8');
    const blocks = [...page.matchAll(/```python\n(.*?)```/gs)].map(([, block]) => block);
    expect(blocks).to.have.length(4);
    const folder = mkdtempSync(join(tmpdir(), 'netpanel-duckdb-'));
    try {
      const { code, stdout, stderr } = await runProgram(python, ['-c', blocks.join('\n')], {
        cwd: folder,
        env: { ...stack.env, PYTHONPATH: join(repositoryRoot, 'clients/python/src') },
      });
      expect(code, stderr).to.equal(0);
      // The pivot of pandas, DuckDB over the data frame, DuckDB and polars over the file.
      expect(stdout)
        .to.match(/^2026-11-07 .*\d/m)
        .and.match(/\('Harbour Cable', 6\d\d\.\d\)/);
      expect(stdout).to.match(/\('[a-z]+-\d{4}-\w+', \d+, \d+\.\d+\)/);
      expect(Number(stdout.trimEnd().split('\n').at(-1))).to.be.greaterThan(10_000);
    } finally {
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
