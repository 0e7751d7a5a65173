import { cpSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { chooseEngine } from '../../../deploy/local/choose-engine.ts';
import { startClickHouse } from '../../../deploy/local/start-clickhouse.ts';
import { freePort } from '../../support/free-port.ts';
import { newDataDir, quietClient } from '../../support/local-clickhouse.ts';

const { engine } = await chooseEngine();

// The WebAssembly engine has no data files.
if (engine !== 'wasm') {
  describe('the data folder of the local ClickHouse server', () => {
    it('is used by one server at a time', async () => {
      const { dataDir, folder } = newFolder();
      const first = await startClickHouse({ port: await freePort(), dataDir });
      expect(await startError(dataDir)).to.equal(
        `ClickHouse did not start: another process uses ${folder}: stop it first`,
      );
      await first.stop();
    });

    it('is rejected with advice when a newer engine has written it', async () => {
      const { dataDir, folder } = await filledFolder();
      writeFileSync(join(folder, 'engine-version'), '99.1.3\n');
      expect(await startError(dataDir)).to.match(
        /was written by ClickHouse 99\.1\.3, but this engine is \d+\.\d+\.\d+\S*\. .* make clean\.$/,
      );
    });

    it('is rejected in one line with the file name when a table definition is invalid', async () => {
      const { dataDir, folder } = await filledFolder();
      writeFileSync(join(folder, 'metadata/default/kept.sql'), 'not SQL');
      const error = await startError(dataDir);
      expect(error).to.match(/cannot be opened \(Code: 62\. .*kept\.sql.*\)\. .*make clean/);
      expect(error).to.not.include('\n');
    });

    it('fails a query that reads corrupt data', async () => {
      const { dataDir, folder } = await filledFolder();
      corrupt(folder, 'data.bin');
      const error = await withServer(dataDir, (client) =>
        client.query({ query: 'SELECT sum(n) FROM kept' }).then(
          () => undefined,
          (reason: unknown) => reason,
        ),
      );
      expect(error).to.include({ code: '40', type: 'CHECKSUM_DOESNT_MATCH' });
    });

    it('can be moved to another server with BACKUP and RESTORE', async () => {
      const [from, to] = [await filledFolder(), newFolder()];
      await withServer(from.dataDir, (client) =>
        client.command({ query: "BACKUP TABLE kept TO File('kept')" }),
      );
      const backup = 'backups/kept';
      cpSync(join(from.folder, backup), join(to.folder, backup), { recursive: true });
      const rows = await withServer(to.dataDir, async (client) => {
        await client.command({ query: "RESTORE TABLE kept FROM File('kept')" });
        const query = 'SELECT count()::UInt32 AS count, sum(n)::UInt32 AS sum FROM kept';
        return (await client.query({ query, format: 'JSONEachRow' })).json();
      });
      expect(rows).to.deep.equal([{ count: 100_000, sum: 704_982_704 }]);
    });

    it('lists corrupt parts as detached', async () => {
      const { dataDir, folder } = await filledFolder();
      corrupt(folder, 'checksums.txt');
      const rows = await withServer(dataDir, async (client) => {
        const query = 'SELECT table, reason FROM system.detached_parts';
        return (await client.query({ query, format: 'JSONEachRow' })).json();
      });
      expect(rows).to.deep.equal([{ table: 'kept', reason: 'broken-on-start' }]);
    });
  });
}

function newFolder(): { dataDir: string; folder: string } {
  const dataDir = newDataDir();
  return { dataDir, folder: join(dataDir, 'native') };
}

async function filledFolder(): Promise<ReturnType<typeof newFolder>> {
  const created = newFolder();
  await withServer(created.dataDir, async (client) => {
    await client.command({ query: 'CREATE TABLE kept (n UInt32) ORDER BY n' });
    await client.command({ query: 'INSERT INTO kept SELECT number FROM numbers(100000)' });
  });
  return created;
}

async function withServer<T>(
  dataDir: string,
  work: (client: ReturnType<typeof quietClient>) => Promise<T>,
): Promise<T> {
  const server = await startClickHouse({ port: await freePort(), dataDir });
  const client = quietClient(server.url);
  try {
    return await work(client);
  } finally {
    await client.close();
    await server.stop();
  }
}

async function startError(dataDir: string): Promise<string> {
  const error = await startClickHouse({ port: await freePort(), dataDir }).catch(
    (reason: unknown) => reason,
  );
  return (error as Error).message;
}

function corrupt(folder: string, file: string): void {
  const files = readdirSync(join(folder, 'store'), { recursive: true, encoding: 'utf8' });
  const [path] = files.filter((name) => name.endsWith(`all_1_1_0/${file}`));
  const bytes = readFileSync(join(folder, 'store', path!));
  writeFileSync(join(folder, 'store', path!), bytes.fill(7, Math.floor(bytes.length / 2)));
}
