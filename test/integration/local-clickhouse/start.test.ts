import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { startTimeOf } from '../../../deploy/local/running-process.ts';
import { startClickHouse } from '../../../deploy/local/start-clickhouse.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { freePort } from '../../support/free-port.ts';
import { localClickHouse, newDataDir, quietClient } from '../../support/local-clickhouse.ts';

describe('the local ClickHouse server: starting and stopping', () => {
  it('reports the port that is already in use', async () => {
    const port = Number(new URL((await localClickHouse()).url).port);
    const error = await startClickHouse({ port, dataDir: newDataDir() }).catch(
      (reason: unknown) => reason,
    );
    expect(String(error)).to.equal(
      `Error: ClickHouse did not start: port ${port} is already in use`,
    );
  });

  it('reports an invalid port', async () => {
    const error = await startClickHouse({ port: 70_000, dataDir: newDataDir() }).catch(
      (reason: unknown) => reason,
    );
    expect(String(error)).to.match(/^Error: ClickHouse did not start: .*70000/);
  });

  it('leaves no process when it is stopped, even twice', async () => {
    const server = await startClickHouse({ port: await freePort(), dataDir: newDataDir() });
    expect(isAlive(server.pid)).to.equal(true);
    await server.stop();
    await server.stop();
    expect(isAlive(server.pid)).to.equal(false);
  });

  it('keeps every acknowledged statement after a kill', async () => {
    const options = { port: await freePort(), dataDir: newDataDir() };
    const first = await startClickHouse(options);
    const client = quietClient(first.url);
    await client.command({ query: '-- kept\nCREATE TABLE kept (n UInt32, s String) ORDER BY n' });
    await client.insert({ table: 'kept', values: [{ n: 1, s: 'a\0b' }], format: 'JSONEachRow' });
    await client.command({
      query: 'INSERT INTO kept SELECT number, toString(number) FROM numbers({from:UInt32}, 2)',
      query_params: { from: 2 },
    });
    process.kill(first.pid, 'SIGKILL');
    expect(await first.ended).to.equal('SIGKILL');

    const second = await startClickHouse(options);
    const query = 'SELECT n, s FROM kept ORDER BY n';
    const rows = await (await client.query({ query, format: 'JSONEachRow' })).json();
    expect(rows).to.deep.equal([
      { n: 1, s: 'a\0b' },
      { n: 2, s: '2' },
      { n: 3, s: '3' },
    ]);
    await client.close();
    await second.stop();
  });

  it('exits when its parent process is killed', async () => {
    const starter = join(repositoryRoot, 'dist/deploy/local/start-clickhouse.js');
    const script = `
      const { startClickHouse } = await import(${JSON.stringify(starter)});
      const { pid } = await startClickHouse({
        port: ${await freePort()},
        dataDir: ${JSON.stringify(newDataDir())},
      });
      process.stdout.write(String(pid), () => process.kill(process.pid, 'SIGKILL'));`;
    const { stdout } = await promisify(execFile)(process.execPath, [
      '--input-type=module',
      '-e',
      script,
    ]).catch((error: unknown) => error as { stdout: string });
    expect(Number(stdout)).to.be.greaterThan(0);
    while (isAlive(Number(stdout))) await delay(50);
  });
});

function isAlive(pid: number): boolean {
  return startTimeOf(pid) !== '';
}
