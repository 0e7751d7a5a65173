import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { expect } from 'chai';
import { chooseEngine } from '../../../deploy/local/choose-engine.ts';
import { localClickHouse } from '../../../deploy/local/local-clickhouse.ts';
import { spawnSupervisor, type Supervised } from '../../../deploy/local/spawn-supervisor.ts';
import type { StackOptions } from '../../../deploy/local/stack-options.ts';
import { connectClickHouse } from '../../../services/shared/clickhouse/connect-clickhouse.ts';
import { childrenOf } from '../../support/children-of.ts';
import { newStackOptions } from '../../support/local-stack.ts';
import { runNetpanel } from '../../support/netpanel.ts';
import { waitUntil } from '../../support/wait-until.ts';

const { engine } = await chooseEngine();

describe('a killed stack', function () {
  this.timeout(300_000);
  let options: StackOptions;
  let stack: Supervised;
  let clickhouse: ClickHouseClient;
  const messages: string[] = [];

  before(async () => {
    options = { ...(await newStackOptions('restart')), sampleResultDays: 2 };
    stack = await spawnSupervisor(options, (line) => messages.push(line));
    const settings = localClickHouse(stack.env.CLICKHOUSE_URL ?? '');
    clickhouse = connectClickHouse(settings, 'netpanel-test');
    await clickhouse.command({
      query: 'CREATE TABLE mine (n UInt32) ENGINE = MergeTree ORDER BY n',
    });
    await clickhouse.insert({ table: 'mine', values: [{ n: 7 }], format: 'JSONEachRow' });
  });
  after(async () => {
    await clickhouse.close();
    await stack.stop();
    await rm(options.stateDir, { recursive: true, force: true });
  });

  const valueOf = async (query: string) => {
    const result = await clickhouse.query({ query, format: 'JSONEachRow' });
    const [row] = await result.json<{ value: number }>();
    return row?.value;
  };
  const ownRows = () => valueOf('SELECT sum(n)::UInt32 AS value FROM mine');
  const downloads = () => valueOf('SELECT count()::UInt32 AS value FROM test_httpget');

  it('restarts a crashed ClickHouse with all acknowledged data', async () => {
    const before = await downloads();
    const [pid] = childrenOf(stack.pid).filter((child) =>
      commandOf(child).includes('clickhouse/server.js'),
    );
    process.kill(pid!, 'SIGKILL');
    await waitUntil(() =>
      ownRows().then(
        () => true,
        () => false,
      ),
    );
    expect(await ownRows()).to.equal(7);
    expect(await downloads()).to.equal(before);
    expect(messages).to.include('ClickHouse ended (SIGKILL); restarting it');
  });

  it('stops orphaned processes at the next start, and keeps data and tokens', async () => {
    const before = { rows: await downloads(), env: stack.env };
    process.kill(stack.pid, 'SIGKILL');
    await stack.ended;
    stack = await spawnSupervisor(options, () => undefined);
    expect(await ownRows()).to.equal(7);
    expect(await downloads()).to.equal(before.rows);
    expect(stack.env).to.deep.equal(before.env);
    const response = await fetch(`${stack.env.QUERY_URL}/metrics`, {
      headers: { authorization: stack.env.DEMO_DATA_TOKEN ?? '' },
    });
    expect(response.status).to.equal(200);
  });

  it('is not affected by a second start, which reports the ports in use', async () => {
    const error = await spawnSupervisor(options, () => undefined).catch(
      (reason: unknown) => reason,
    );
    expect(String(error)).to.contain(`Port ${options.ports.query} is in use`);
    expect(await ownRows()).to.equal(7);
    const [supervisor] = readFileSync(join(options.stateDir, 'processes'), 'utf8').split(' ');
    expect(Number(supervisor)).to.equal(stack.pid);
  });

  if (engine !== 'wasm') {
    it('starts without a corrupt part and reports it, as netpanel doctor does', async () => {
      const query = "SELECT path FROM system.parts WHERE table = 'mine' AND active";
      const result = await clickhouse.query({ query, format: 'JSONEachRow' });
      const [part] = await result.json<{ path: string }>();
      await stack.stop();
      writeFileSync(join(part!.path, 'checksums.txt'), 'damaged');
      const lines: string[] = [];
      stack = await spawnSupervisor(options, (line) => lines.push(line));
      expect(lines.join('\n')).to.contain('ClickHouse started without 1 damaged part of mine');
      expect(await ownRows()).to.equal(0);
      const doctor = await runNetpanel({ ...stack.env }, ['doctor']);
      expect(doctor.stdout).to.match(
        /^not ok {2}ClickHouse data: 1 damaged part of mine detached/m,
      );
      expect(doctor.code).to.equal(1);
    });
  }
});

function commandOf(pid: number): string {
  return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
}
