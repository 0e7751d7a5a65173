import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, statfsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { expect } from 'chai';
import { chooseEngine } from '../../deploy/local/choose-engine.ts';
import { type LocalClickHouse, startClickHouse } from '../../deploy/local/start-clickhouse.ts';
import { freePort } from '../support/free-port.ts';
import { newDataDir, quietClient } from '../support/local-clickhouse.ts';

const { engine } = await chooseEngine();

// The WebAssembly engine keeps its tables in memory. Mounting a small disk needs root.
if (engine !== 'wasm' && process.getuid?.() === 0) {
  describe('the local ClickHouse on a full disk', () => {
    let disk: string;
    let server: LocalClickHouse;
    let client: ClickHouseClient;

    before(async () => {
      disk = join(newDataDir(), 'disk');
      mkdirSync(disk);
      execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=100m', 'tmpfs', disk]);
      server = await startClickHouse({ port: await freePort(), dataDir: disk });
      client = quietClient(server.url);
      await client.command({ query: 'CREATE TABLE rows (n UInt64) ORDER BY n' });
    });
    after(async () => {
      await client.close();
      await server.stop();
      execFileSync('umount', [disk]);
    });

    const insert = (from: number) =>
      client.insert({
        table: 'rows',
        values: Array.from({ length: 50_000 }, (_, i) => ({ n: from + i })),
        format: 'JSONEachRow',
      });
    const count = async () => {
      const query = 'SELECT toUInt32(count()) AS count FROM rows';
      const result = await client.query({ query, format: 'JSONEachRow' });
      const [row] = await result.json<{ count: number }>();
      return row?.count;
    };

    it('rejects an insert, keeps its data, and continues when space is free again', async () => {
      await insert(0);
      const filler = join(disk, 'filler');
      const { bavail, bsize } = statfsSync(disk);
      writeFileSync(filler, Buffer.alloc(Math.max(0, bavail * bsize - 100_000)));
      const error = await insert(50_000).catch((reason: unknown) => reason);
      expect(String(error)).to.match(/No space left on device|Cannot reserve|ENOSPC/);
      expect(await count()).to.equal(50_000);
      rmSync(filler);
      await insert(50_000);
      expect(await count()).to.equal(100_000);
    });
  });
}
