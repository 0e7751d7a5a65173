import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'chai';
import { type EngineChoice, installEngine } from '../../../deploy/local/choose-engine.ts';
import { type LocalClickHouse, startClickHouse } from '../../../deploy/local/start-clickhouse.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';
import { freePort } from '../../support/free-port.ts';
import { newDataDir, quietClient } from '../../support/local-clickhouse.ts';

// Without a stack, which takes a minute to migrate on this engine. `make test-long` also runs tests on a stack.
describe('ClickHouse as WebAssembly, for machines without a native engine', () => {
  let server: LocalClickHouse;
  let client: ReturnType<typeof quietClient>;

  before(async () => {
    const port = await freePort();
    server = await startClickHouse({ port, dataDir: newDataDir(), engine: 'wasm' });
    client = quietClient(server.url);
  });
  after(async () => {
    await client.close();
    await server.stop();
  });

  const rowsOf = async (query: string) =>
    (await client.query({ query, format: 'JSONEachRow' })).json();

  it('is chosen where npm does not have the native library of the platform, with the reason', async () => {
    // npm must not install for the other platform: the probe finds the packages of this machine only.
    await installEngine('auto');
    const foreign = `data:text/javascript,Object.defineProperty(process, 'platform', { value: 'darwin' })`;
    const module = join(repositoryRoot, 'dist/deploy/local/choose-engine.js');
    const script = `const { installEngine } = await import(${JSON.stringify(module)});
      console.log(JSON.stringify(await installEngine('auto')));`;
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '-e', script],
      { env: { ...process.env, NODE_OPTIONS: `--import="${foreign}"` } },
    );
    const { engine, reason } = JSON.parse(stdout) as EngineChoice;
    expect(engine).to.equal('wasm');
    expect(reason).to.match(/^the native engine does not run here: its probe failed .*: Error: /);
  });

  it('is named in the description of the server', () => {
    expect(server.description).to.match(/^\d+\.\d+\.\d+\.\d+, WebAssembly engine/);
  });

  it('stores rows, and aggregates them in the time zone of a query', async () => {
    await client.command({
      query:
        "CREATE TABLE results (agent UInt32, dtime DateTime('UTC'), mbps Float64) ORDER BY agent",
    });
    await client.insert({
      table: 'results',
      values: [
        { agent: 1, dtime: '2026-10-31 23:30:00', mbps: 10 },
        { agent: 2, dtime: '2026-10-31 23:45:00', mbps: 20 },
        { agent: 1, dtime: '2026-11-01 12:00:00', mbps: 60 },
      ],
      format: 'JSONEachRow',
    });
    const days = `SELECT toDate(dtime, 'Europe/Oslo') AS day, avg(mbps) AS mean, toUInt32(count()) AS count
FROM results GROUP BY day`;
    expect(await rowsOf(days)).to.deep.equal([{ day: '2026-11-01', mean: 30, count: 3 }]);
  });

  it('reports an invalid query with the code of ClickHouse, and answers the next one', async () => {
    const error = await rowsOf('SELECT missing FROM results').catch((reason: unknown) => reason);
    expect(error).to.include({ code: '47', type: 'UNKNOWN_IDENTIFIER' });
    expect(await rowsOf('SELECT toUInt32(count()) AS count FROM results')).to.deep.equal([
      { count: 3 },
    ]);
  });
});
