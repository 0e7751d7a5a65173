import { mkdirSync, mkdtempSync, renameSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { startTcpProxy, type TcpProxy } from '../../support/tcp-proxy.ts';
import { useLoadFolder } from '../../support/use-load-folder.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { startWatcher, type Watcher } from '../../support/watcher.ts';

describe('the process of netpanel watch', () => {
  const own = useLoadFolder();
  let proxy: TcpProxy;
  let incoming: string;
  let watchers: Watcher[] = [];

  before(async () => {
    proxy = await startTcpProxy(own.stack.clickhouseUrl);
  });
  beforeEach(() => {
    incoming = mkdtempSync(join(own.folder, 'incoming-'));
    mkdirSync(join(incoming, 'latency'));
  });
  afterEach(async () => {
    proxy.heal();
    for (const watcher of watchers) await watcher.stop('SIGKILL');
    watchers = [];
  });
  after(() => proxy.stop());

  /** Its connections to ClickHouse go through the proxy. */
  const start = async () => {
    const env = { ...own.stack.env, CLICKHOUSE_URL: proxy.url };
    const watcher = await startWatcher(env, '--org', own.tenant.name, incoming);
    watchers.push(watcher);
    return watcher;
  };
  const addFile = (name: string, unit: number, rowCount = 1) => {
    const rows = Array.from(
      { length: rowCount },
      (_, i) => `${unit},2026-11-01 10:00:00,target-${String(i).padStart(8, '0')}`,
    );
    const path = own.csv(`staging/${name}`, 'unit_id,dtime,target', ...rows);
    renameSync(path, join(incoming, 'latency', name));
  };
  const records = () =>
    own.stack
      .database('watched_files')
      .where({ organisation_id: own.tenant.organisationId })
      .orderBy('name')
      .select<{ name: string; status: string; attempts: number }[]>('name', 'status', 'attempts');
  const allLoaded = (count: number) =>
    waitUntil(
      async () => (await records()).filter(({ status }) => status === 'loaded').length === count,
    );
  /** The insert of a file of 20,000 rows stops in the middle. */
  const holdInsert = () =>
    proxy.fault({ kind: 'hold', direction: 'to the store', afterBytes: 300_000 });

  it('loads files when they are renamed into the folder, until SIGTERM', async () => {
    const watcher = await start();
    addFile('a.csv', 1);
    await watcher.logged('latency/a.csv: loaded: 1 rows read');
    addFile('b.csv', 2);
    await watcher.logged('latency/b.csv: loaded: 1 rows read');
    expect(await watcher.stop('SIGTERM')).to.equal(0);
    expect(await own.stored('latency', 'unit_id')).to.deep.equal([{ unit_id: 1 }, { unit_id: 2 }]);
  });

  it('loads each file once with two watchers', async () => {
    const [one, two] = [await start(), await start()];
    for (let i = 0; i < 12; i++) addFile(`${i}.csv`, i + 1, 100);
    await allLoaded(12);
    expect(await one.stop('SIGTERM')).to.equal(0);
    expect(await two.stop('SIGTERM')).to.equal(0);
    const loads = (one.log() + two.log()).match(/ latency\/\d+\.csv: loaded: 100 rows read/g) ?? [];
    expect(new Set(loads)).to.have.property('size', 12);
    expect(loads).to.have.length(12);
    expect((await records()).map(({ attempts }) => attempts)).to.deep.equal(Array(12).fill(1));
    expect(await own.storedRowCount('latency')).to.equal(1200);
  });

  it('repeats a load that was killed, and stores each row once', async () => {
    const killed = await start();
    holdInsert();
    addFile('large.csv', 1, 20_000);
    await waitUntil(() => proxy.struck > 0);
    expect(await records()).to.deep.equal([
      { name: 'latency/large.csv', status: 'loading', attempts: 1 },
    ]);
    expect(await killed.stop('SIGKILL')).to.equal(null);
    proxy.heal();
    const next = await start();
    await next.logged('latency/large.csv: repeated, because an earlier load was interrupted');
    await allLoaded(1);
    expect(await records()).to.deep.equal([
      { name: 'latency/large.csv', status: 'loaded', attempts: 2 },
    ]);
    expect(await own.stored('latency', 'target')).to.have.length(20_000);
  });

  it('ends after the current file on SIGTERM', async () => {
    addFile('1-large.csv', 1, 20_000);
    addFile('2-next.csv', 2);
    holdInsert();
    const watcher = await start();
    await waitUntil(() => proxy.struck > 0);
    watcher.signal('SIGTERM');
    await watcher.logged('SIGTERM: stopping after the current file');
    proxy.heal();
    expect(await watcher.ended).to.equal(0);
    expect(await records()).to.deep.equal([
      { name: 'latency/1-large.csv', status: 'loaded', attempts: 1 },
    ]);
    expect(await own.storedRowCount('latency')).to.equal(20_000);
  });

  it('goes on when ClickHouse is reachable again', async () => {
    const watcher = await start();
    proxy.fault({ kind: 'cut', direction: 'to the store' });
    addFile('a.csv', 1);
    await watcher.logged('; trying again in 1 s');
    expect(await records()).to.deep.equal([]);
    proxy.heal();
    await allLoaded(1);
    expect(await own.storedRowCount('latency')).to.equal(1);
  });
});
