import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { type LocalStack, localStack } from '../../support/local-stack.ts';
import { netpanelOk } from '../../support/netpanel.ts';
import { pythonProgram, pythonVenv } from '../../support/python-venv.ts';
import { runProgram } from '../../support/run-program.ts';
import { skipBecause } from '../../support/skip-because.ts';
import { newTenant } from '../../support/tenant.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';
import { clientPackages } from './client-packages.ts';

const folder = join(repositoryRoot, 'clients/python');

describe('the Python package', function () {
  this.timeout(900_000);
  let stack: LocalStack;

  before(async () => {
    stack = await localStack();
  });

  it('works against the stack with the standard library alone', async function () {
    const python = await pythonProgram(this);
    const modules = ['tests.test_client', 'tests.test_ingest', 'tests.test_retry'];
    const { code, stderr } = await runProgram(python, ['-m', 'unittest', ...modules], {
      cwd: folder,
      env: { ...stack.env, PYTHONPATH: join(folder, 'src'), PYTHONDONTWRITEBYTECODE: '1' },
    });
    expect(code, stderr).to.equal(0);
    expect(Number(/^Ran (\d+) tests/m.exec(stderr)?.[1])).to.be.at.least(31);
  });

  it('installs with its type information, passes mypy, and makes data frames', async function () {
    const python = await pythonVenv(this, clientPackages);
    // pip writes into the folder that it installs from.
    const copy = mkdtempSync(join(tmpdir(), 'netpanel-python-'));
    try {
      cpSync(folder, copy, { recursive: true });
      const target = join(copy, 'installed');
      const install = [
        'install',
        '--quiet',
        '--no-deps',
        '--no-build-isolation',
        '--target',
        target,
      ];
      const installed = await runProgram(python, ['-m', 'pip', ...install, copy]);
      expect(installed.code, installed.stderr).to.equal(0);
      const typed = await runProgram(python, ['-m', 'mypy', '--strict', '-p', 'netpanel'], {
        cwd: target,
      });
      expect(typed.code, typed.stdout).to.equal(0);
      const { code, stderr } = await runProgram(python, ['-m', 'unittest', 'tests.test_frames'], {
        cwd: copy,
        env: { ...stack.env, PYTHONPATH: target },
      });
      expect(code, stderr).to.equal(0);
      const marker = join(target, 'netpanel/py.typed');
      const found = await runProgram(python, ['-c', `open(${JSON.stringify(marker)})`]);
      expect(found.code, found.stderr).to.equal(0);
    } finally {
      rmSync(copy, { recursive: true, force: true });
    }
  });

  it('reproduces the figures of the ACCC in its notebook, with the outputs that the file has', async function () {
    const data = process.env.ACCC_DATA_DIR;
    if (data === undefined) skipBecause(this, 'ACCC_DATA_DIR is not set');
    const python = await pythonVenv(this, clientPackages);
    const tenant = await newTenant(stack.database);
    await netpanelOk(
      stack,
      ...['load', '--org', tenant.name, '--preset', 'accc', '--period', '2022-05-01/2022-05-31'],
      join(data, 'mba-report-18-may-2022.csv'),
    );
    await waitUntilPublished(stack.database, tenant.organisationId);
    const { code, stdout, stderr } = await runProgram(python, [join(folder, 'notebooks/run.py')], {
      env: {
        QUERY_URL: stack.queryUrl,
        DATA_TOKEN: tenant.dataToken,
        PYTHONPATH: join(folder, 'src'),
        PYTHONDONTWRITEBYTECODE: '1',
      },
    });
    expect(code, stdout + stderr).to.equal(0);
    expect(stdout).to.include('accc.ipynb: executed');
  });
});
