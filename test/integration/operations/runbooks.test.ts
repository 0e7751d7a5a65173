import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { chartFolder } from '../../../deploy/helm/chart-files.ts';
import { ofKind, recordedProduction } from '../../unit/deploy/rendered-chart.ts';
import { hasProgram } from '../../support/has-program.ts';
import { type IsolatedStores, isolatedStores } from '../../support/isolated-stores.ts';
import { localStack } from '../../support/local-stack.ts';
import { operatorPages } from '../../support/operator-pages.ts';
import { runNetpanel } from '../../support/netpanel.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { addAgent, newTenant } from '../../support/tenant.ts';
import { runbookBlocks, runbookStatements } from './runbook-blocks.ts';

const run = promisify(execFile);
const operations = operatorPages();

describe('the runbooks', () => {
  let stores: IsolatedStores;

  before(async () => {
    stores = await isolatedStores();
  });
  after(() => stores.close());

  it('have diagnostic queries in their text that run on Postgres', async () => {
    const inText = [...operations.matchAll(/`(select [^`]*)`/g)].map(([, sql = '']) => sql);
    const ofPostgres = inText.filter((sql) => !sql.includes('system.'));
    expect(ofPostgres.length).to.be.greaterThan(2);
    for (const sql of ofPostgres) await stores.database.raw(sql);
  });

  it('restore a backup of ClickHouse over a damaged database', async () => {
    const { organisationId } = await newTenant(stores.database);
    await addAgent(stores.database, organisationId, { agentId: 'a', unitId: 1 });
    await publish();
    await stores.clickhouse.command({ query: insertResult(organisationId, 'kept') });
    const [full, incremental, ...others] = runbookStatements('Backup and restore', 'clickhouse');
    const [drop, restore] = others;
    const backup = `runbook-${process.pid}`;
    const inFiles = (sql = '') =>
      inOwnDatabase(sql)
        .replaceAll(/S3\('[^']*2026-11-15',[^)]*\)/g, `File('${backup}-15')`)
        .replaceAll(/S3\('[^']*2026-11-16',[^)]*\)/g, `File('${backup}-16')`);
    await stores.clickhouse.command({ query: inFiles(full) });
    await stores.clickhouse.command({ query: insertResult(organisationId, 'incremental') });
    await stores.clickhouse.command({ query: inFiles(incremental) });
    await stores.clickhouse.command({ query: insertResult(organisationId, 'damage') });

    // The reason for the first statement.
    const refused = await stores.clickhouse.command({ query: inFiles(restore) }).catch(String);
    expect(refused).to.match(/Cannot restore the table/);
    const stack = await localStack();
    for (const query of [drop, restore]) await stack.clickhouse.command({ query: inFiles(query) });
    expect(await storedTargets()).to.deep.equal(['incremental', 'kept']);
    const migrated = await runNetpanel(stores.env, ['migrate']);
    expect(migrated.code, migrated.stderr).to.equal(0);
    await publish();
  });

  it('restore a dump of Postgres into a new database', async function () {
    const commands = shellLines('Backup and restore').filter((line) =>
      /^(createdb|pg_restore)/.test(line),
    );
    expect(commands).to.have.length(2);
    if (!hasProgram('pg_restore')) return this.skip();
    const { rows } = await stores.database.raw<{ rows: [{ major: number }] }>(
      "select current_setting('server_version_num')::int / 10000 as major",
    );
    // pg_dump refuses a server that is newer than itself.
    if (Number(/\d+/.exec((await run('pg_dump', ['--version'])).stdout)?.[0]) < rows[0].major) {
      return this.skip();
    }
    const folder = await mkdtemp(join(tmpdir(), 'netpanel-restore-'));
    const name = `restored_${process.pid}`;
    const restoredUrl = new URL(stores.env.DATABASE_URL!);
    restoredUrl.pathname = `/${name}`;
    const dump = join(folder, 'netpanel.dump');
    await run('pg_dump', ['--format=custom', `--file=${dump}`, stores.env.DATABASE_URL!]);
    for (const command of commands) {
      const own = command.replace('netpanel_restored', name).replace('netpanel.dump', dump);
      await run('bash', ['-c', own], {
        env: { ...process.env, OWNER_URL: stores.env.DATABASE_URL, RESTORED_URL: restoredUrl.href },
      });
    }
    const listed = await runNetpanel({ ...stores.env, DATABASE_URL: restoredUrl.href }, [
      'org',
      'list',
    ]);
    expect(listed.code, listed.stderr).to.equal(0);
    expect(listed.stdout).to.include('test-');
    await rm(folder, { recursive: true });
    return undefined;
  });

  it('name only objects of the chart', () => {
    const objects = recordedProduction();
    const names = [...operations.matchAll(/\b(deployment|job)\/([a-z-]+)/g)];
    expect(names.length).to.be.greaterThan(8);
    for (const [, kind = '', name] of names) {
      const ofThisKind = ofKind(objects, `${kind[0]!.toUpperCase()}${kind.slice(1)}`);
      expect(ofThisKind.map(({ metadata }) => metadata.name)).to.include(name);
    }
  });

  it('render the migration of a restore with helm', async function () {
    if (!hasProgram('helm')) return this.skip();
    const [block] = runbookBlocks().filter(({ text }) => text.includes('--show-only'));
    const [command = ''] = block!.text.replaceAll('\\\n', '').split(' | kubectl');
    const values = join(chartFolder, 'examples/trial.yaml');
    const { stdout } = await run('bash', [
      '-c',
      command.replace('yours.yaml', values).replace('--validate', '--kube-version 1.34.0'),
    ]);
    expect(stdout)
      .to.match(/^kind: Job$/m)
      .and.to.match(/^kind: NetworkPolicy$/m);
    return undefined;
  });

  function inOwnDatabase(sql: string): string {
    return sql.replace(/\bnetpanel\b(?=[.\s;]|$)/g, stores.env.CLICKHOUSE_DATABASE!);
  }

  async function publish(): Promise<void> {
    const publisher = stores.startPublisher();
    await waitUntil(async () => (await stores.differences()).length === 0);
    await publisher.stop();
  }

  async function storedTargets(): Promise<string[]> {
    const query = 'SELECT target FROM test_httpget ORDER BY target';
    const rows = await stores.clickhouse.query({ query, format: 'JSONEachRow' });
    return (await rows.json<{ target: string }>()).map(({ target }) => target);
  }
});

function insertResult(organisationId: number, target: string): string {
  return `INSERT INTO test_httpget (organisation_id, agent_id, dtime, target) VALUES (${organisationId}, 'a', now(), '${target}')`;
}

function shellLines(section: string): string[] {
  return runbookBlocks()
    .filter((block) => block.section === section && block.language === 'sh')
    .flatMap(({ text }) => text.split('\n'));
}
