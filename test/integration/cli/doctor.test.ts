import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { connectPostgres } from '../../../services/shared/postgres/connect-postgres.ts';
import { freePort } from '../../support/free-port.ts';
import { isolatedStores } from '../../support/isolated-stores.ts';
import { localStack } from '../../support/local-stack.ts';
import { netpanel, runNetpanel } from '../../support/netpanel.ts';

const stack = await localStack();

describe('netpanel doctor', () => {
  it('reports no problem in the local stack', async () => {
    const { code, stdout } = await netpanel(stack, 'doctor');
    const names = [...stdout.matchAll(/^ok {6}([^:]+): /gm)].map(([, name]) => name);
    expect(names).to.include.members([
      'Postgres',
      'Postgres schema',
      'Postgres row security',
      'ClickHouse',
      'ClickHouse schema',
      'ClickHouse data',
      'Metadata dictionary',
      'Time zone dictionary',
      'Metadata snapshot',
      'Agent sets',
      'Object store',
      'Clocks',
    ]);
    expect(code).to.equal(0);
  });

  it('prints the checks as JSON for programs', async () => {
    const env = { ...stack.env, CLICKHOUSE_URL: `http://127.0.0.1:${await freePort()}` };
    const { code, stdout } = await runNetpanel(env, ['doctor', '--json']);
    expect(code).to.equal(1);
    const { healthy, checks } = JSON.parse(stdout) as {
      healthy: boolean;
      checks: { name: string; ok: boolean; details: string; remedy?: string }[];
    };
    expect(healthy).to.equal(false);
    const find = (wanted: string) => checks.find(({ name }) => name === wanted);
    expect(find('Postgres')).to.include({ ok: true }).and.not.have.property('remedy');
    expect(find('ClickHouse')?.ok).to.equal(false);
    expect(find('ClickHouse')?.remedy).to.include('check CLICKHOUSE_URL');
  });

  it('reports an unreachable store and what to check', async () => {
    const env = { ...stack.env, CLICKHOUSE_URL: `http://127.0.0.1:${await freePort()}` };
    const { code, stdout } = await runNetpanel(env, ['doctor']);
    expect(code).to.equal(1);
    expect(stdout).to.match(/^ok {6}Postgres: version/m);
    expect(stdout).to.match(/^not ok {2}ClickHouse: .*\n {8}→ check CLICKHOUSE_URL/m);
  });

  it('reports an unusable export folder, and leaves no test file in a usable one', async () => {
    const folder = join(stack.stateDir, 'env', 'not-a-folder');
    const broken = await runNetpanel({ ...stack.env, EXPORT_FOLDER: folder }, ['doctor']);
    expect(broken.code).to.equal(1);
    expect(broken.stdout).to.match(/^not ok {2}Object store: .*\n {8}→ check EXPORT_STORE/m);
    expect(readdirSync(stack.env.EXPORT_FOLDER!).join()).to.not.contain('doctor');
  });

  it('reports a service that connects as the owner of the tables', async () => {
    const stores = await isolatedStores();
    // The pool of a service, with the user that owns the tables.
    const asOwner = connectPostgres(stores.env.DATABASE_URL!, 1, 'netpanel-query-requests');
    try {
      await asOwner.raw('select 1');
      const { code, stdout } = await runNetpanel(stores.env, ['doctor']);
      expect(code).to.equal(1);
      expect(stdout).to.match(
        /^not ok {2}Postgres row security: the query service connects as netpanel: .*\n {8}→ .*roles\.sql/m,
      );
    } finally {
      await asOwner.destroy();
      await stores.close();
    }
  });

  it('lists the missing migrations', async () => {
    const env = { ...stack.env, CLICKHOUSE_DATABASE: 'empty_for_doctor' };
    await stack.clickhouse.command({ query: 'CREATE DATABASE IF NOT EXISTS empty_for_doctor' });
    const { code, stdout } = await runNetpanel(env, ['doctor']);
    expect(code).to.equal(1);
    expect(stdout).to.match(
      /^not ok {2}ClickHouse schema: not applied: 001_bookkeeping, .*\n.*netpanel migrate/m,
    );
  });
});
