import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { runProgram } from '../../support/run-program.ts';
import { skipBecause } from '../../support/skip-because.ts';

describe('make release', () => {
  const out = mkdtempSync(join(tmpdir(), 'netpanel-release-'));
  after(() => rmSync(out, { recursive: true }));

  it('writes packages, SBOM and provenance, whose checksums are right', async function () {
    const script = join(repositoryRoot, 'deploy/release/release.sh');
    // A base that does not exist: images take minutes, and need a registry.
    const { code, stdout, stderr } = await runProgram('bash', [script], {
      env: { OUT: out, ALLOW_CHANGES: '1', BASE: 'localhost/missing:0' },
    });
    if (stderr.includes('No matching distribution')) {
      return skipBecause(this, 'pip cannot install setuptools, which builds the Python package');
    }
    expect(code, stderr).to.equal(0);
    const files = readdirSync(out).map((name) => name.replace(/-\d+\.\d+\.\d+/, ''));
    expect(files).to.include.members([
      'SHA256SUMS',
      'netpanel-client.tgz',
      'netpanel.cdx.json',
      'netpanel-local.cdx.json',
      'netpanel.provenance.json',
      ...(stdout.includes('Python: left out') ? [] : ['netpanel-py3-none-any.whl']),
    ]);
    const check = await runProgram('sha256sum', ['--check', '--strict', 'SHA256SUMS'], {
      cwd: out,
    });
    expect(check.code, check.stdout + check.stderr).to.equal(0);
    // Of every file but the list itself.
    expect(check.stdout.trim().split('\n')).to.have.lengthOf(files.length - 1);
    return undefined;
  });
});
