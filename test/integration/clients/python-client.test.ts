import { cpSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { localStack } from '../../support/local-stack.ts';
import { netpanelOk } from '../../support/netpanel.ts';
import { pythonProgram, pythonVenv } from '../../support/python-venv.ts';
import { runProgram } from '../../support/run-program.ts';
import { skipBecause } from '../../support/skip-because.ts';
import { newTenant } from '../../support/tenant.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';
import { clientPackages } from './client-packages.ts';

const folder = join(repositoryRoot, 'clients/python');

const stack = await localStack();

describe('the Python package', function () {
  this.timeout(900_000);

  it('works against the stack with the standard library alone', async function () {
    const python = await pythonProgram(this);
    const modules = ['tests.test_client', 'tests.test_ingest', 'tests.test_retry'];
    const { code, stderr } = await runProgram(python, ['-m', 'unittest', ...modules], {
      cwd: folder,
      env: { ...stack.env, PYTHONPATH: join(folder, 'src'), PYTHONDONTWRITEBYTECODE: '1' },
    });
    expect(code, stderr).to.equal(0);
    expect(Number(/^Ran (\d+) tests/m.exec(stderr)?.[1])).to.be.at.least(34);
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
      const wrong = join(copy, 'wrong_calls.py');
      writeFileSync(wrong, wrongCalls);
      const checked = await runProgram(python, ['-m', 'mypy', '--strict', wrong], {
        env: { MYPYPATH: target },
        cwd: copy,
      });
      const lines = [...checked.stdout.matchAll(/wrong_calls\.py:(\d+): error/g)].map(([, line]) =>
        Number(line),
      );
      const expected = wrongCalls
        .split('\n')
        .flatMap((line, i) => (line.includes('# wrong') ? [i + 1] : []));
      expect([...new Set(lines)], checked.stdout).to.deep.equal(expected);
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

const wrongCalls = `from netpanel import Client, MetadataClient

week = ("2026-11-01", "2026-11-07")


def calls(client: Client, metadata: MetadataClient) -> None:
    client.metric_data("httpget", week, splits=["isp"], household={"statistic": "median"}, shares={"thresholds": [25, 50]})
    client.metric_data("httpget", times=[{"from": "-7 days", "to": "now"}], relativeTo={"field": "custom.speed"}, coverage={})
    client.explain("httpget", week, aggregation=None, window={"days": ["mon"], "hours": [19, 20]}, method="accc")
    client.export_metric_data("x.csv", "httpget", week, include={"isp": "A"}, overBuckets={"atLeast": 70})
    metadata.change({"unit_id": 1}, {"timezone": "UTC"}, backdate_from=1, overwrite_all=True)
    client.metric_data("httpget", week, houshold={"statistic": "median"})  # wrong
    client.metric_data("httpget", week, household={"statistik": "median"})  # wrong
    client.metric_data("httpget", week, household="median")  # wrong
    client.metric_data("httpget", week, aggregation="dayly")  # wrong
    client.metric_data("httpget", week, window={"days": ["monday"]})  # wrong
    client.metric_data("httpget", week, agent_agg="yes")  # wrong
    client.explain("httpget", week, split=["isp"])  # wrong
    client.export_metric_data("x.csv", "httpget", week, methode="accc")  # wrong
    metadata.change({"unit_id": 1}, {}, backdate=1)  # wrong
`;
