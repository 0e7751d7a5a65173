import { expect } from 'chai';
import { freePort } from '../../support/free-port.ts';
import { localStack, type LocalStack } from '../../support/local-stack.ts';
import { netpanel } from '../../support/netpanel.ts';
import { runBuilt } from '../../support/run-built.ts';

describe('netpanel doctor', function () {
  this.timeout(300_000);
  let stack: LocalStack;

  before(async () => {
    stack = await localStack();
  });

  it('finds the local stack well', async () => {
    const { code, stdout } = await netpanel(stack, 'doctor');
    const names = [...stdout.matchAll(/^ok {6}([^:]+): /gm)].map(([, name]) => name);
    expect(names).to.include.members([
      ...['Postgres', 'Postgres schema', 'ClickHouse', 'ClickHouse schema'],
      ...['Metadata dictionary', 'Time zone dictionary', 'Metadata snapshot', 'Clocks'],
    ]);
    expect(code).to.equal(0);
  });

  it('names what is not reachable and says what to do', async () => {
    const env = { ...stack.env, CLICKHOUSE_URL: `http://127.0.0.1:${await freePort()}` };
    const { code, stdout } = await runBuilt('services/cli/netpanel.js', env, ['doctor']);
    expect(code).to.equal(1);
    expect(stdout).to.match(/^ok {6}Postgres: version/m);
    expect(stdout).to.match(/^not ok {2}ClickHouse: .*\n {8}→ check CLICKHOUSE_URL/m);
  });

  it('names the migrations that are missing', async () => {
    const env = { ...stack.env, CLICKHOUSE_DATABASE: 'empty_for_doctor' };
    await stack.clickhouse.command({ query: 'CREATE DATABASE IF NOT EXISTS empty_for_doctor' });
    const { code, stdout } = await runBuilt('services/cli/netpanel.js', env, ['doctor']);
    expect(code).to.equal(1);
    expect(stdout).to.match(
      /^not ok {2}ClickHouse schema: not applied: 001_unit_tests, .*\n.*netpanel migrate/m,
    );
  });
});
