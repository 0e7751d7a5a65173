import { readFileSync, writeFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { expect } from 'chai';
import { chooseEngine } from '../../../deploy/local/choose-engine.ts';
import { localClickHouse } from '../../../deploy/local/local-clickhouse.ts';
import { sampleAgents } from '../../../deploy/local/sample/panel/sample-households.ts';
import { spawnSupervisor, type Supervised } from '../../../deploy/local/spawn-supervisor.ts';
import type { StackOptions } from '../../../deploy/local/stack-options.ts';
import { connectClickHouse } from '../../../services/shared/clickhouse/connect-clickhouse.ts';
import { childrenOf } from '../../support/children-of.ts';
import { metadataClient } from '../../support/metadata-client.ts';
import { newStackOptions } from '../../support/local-stack.ts';
import { runNetpanel } from '../../support/netpanel.ts';
import { waitUntil } from '../../support/wait-until.ts';

const { engine } = await chooseEngine();
const postgresRestarted = 'Postgres exited (SIGKILL); restarting it';

describe('a killed stack', () => {
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
    expect(messages).to.include('ClickHouse exited (SIGKILL); restarting it');
  });

  it('restarts a crashed Postgres alone, with its data, while the services stay', async () => {
    const services = childrenOf(stack.pid).filter((child) => commandOf(child).includes('services'));
    const before = readFileSync(join(options.stateDir, 'postgres/postmaster.pid'), 'utf8');
    process.kill(parseInt(before), 'SIGKILL');
    await waitUntil(() => messages.includes(postgresRestarted));
    const api = metadataClient(stack.env.METADATA_URL ?? '', stack.env.DEMO_METADATA_TOKEN ?? '');
    await waitUntil(async () => (await api.get('/metadata/unit/100003')).status === 200);
    const change = { agent: { unit_id: 100003 }, metadata: { custom: { after: 'the crash' } } };
    expect((await api.put(change)).status).to.equal(200);
    expect(childrenOf(stack.pid)).to.include.members(services);
    const recorded = readFileSync(join(options.stateDir, 'processes'), 'utf8');
    const after = readFileSync(join(options.stateDir, 'postgres/postmaster.pid'), 'utf8');
    expect(parseInt(after)).not.to.equal(parseInt(before));
    // Or a killed supervisor would leave a server that the next start does not find.
    expect(recorded).to.match(new RegExp(`^${parseInt(after)} `, 'm'));
  });

  it('starts again after a sample household was erased, without it', async () => {
    const api = metadataClient(stack.env.METADATA_URL ?? '', stack.env.DEMO_METADATA_TOKEN ?? '');
    // The other organisation has units with the same numbers.
    const agentOf = (unit: number) =>
      sampleAgents().find((one) => one.organisation === 'demo' && one.unitId === unit)!.agentId;
    const resultsOf = (unit: number) =>
      valueOf(
        `SELECT count()::UInt32 AS value FROM test_httpget WHERE agent_id = '${agentOf(unit)}'`,
      );
    const [erased, running, kept] = [100004, 100005, 100006];
    const erase = async (unit: number) => {
      const args = ['erase', '--org', 'demo', '--yes', '--no-wait', '--by', 'unit', String(unit)];
      const { code, stderr } = await runNetpanel({ ...stack.env }, ['agents', ...args]);
      expect(code, stderr).to.equal(0);
    };
    await erase(erased);
    await waitUntil(async () => (await resultsOf(erased)) === 0);
    await erase(running);
    const before = { running: await resultsOf(running), kept: await resultsOf(kept) };
    await stack.stop();
    // Two days later the sample adds results of all households that it has.
    const later = new Date(Date.parse(options.sampleEndsAt) + 2 * 86_400_000).toISOString();
    stack = await spawnSupervisor({ ...options, sampleEndsAt: later }, () => undefined);
    expect((await api.get(`/metadata/unit/${erased}`)).status).to.equal(404);
    expect(await resultsOf(erased)).to.equal(0);
    expect(await resultsOf(running)).to.be.at.most(before.running!);
    expect(await resultsOf(kept)).to.be.above(before.kept!);
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
