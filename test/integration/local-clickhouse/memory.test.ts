import { expect } from 'chai';
import { chooseEngine } from '../../../deploy/local/choose-engine.ts';
import { startClickHouse } from '../../../deploy/local/start-clickhouse.ts';
import { freePort } from '../../support/free-port.ts';
import { newDataDir } from '../../support/local-clickhouse.ts';
import { residentBytes } from '../../support/resident-bytes.ts';

/** `make proof-faults` sends more. */
const requestCount = Number(process.env.ENGINE_REQUESTS ?? 500);
/** Caches, threads and memory arenas grow to their full size first. */
const warmUpCount = Math.max(1_500, requestCount / 4);
const concurrency = 8;
const maxGrowthBytes = 64 * 1024 ** 2;

const { engine } = await chooseEngine();

// The WebAssembly engine leaks about a megabyte per request.
if (engine !== 'wasm') {
  describe('the memory of the local ClickHouse server', function () {
    this.timeout(600_000 + requestCount * 100);

    it(`does not grow over ${requestCount} requests`, async () => {
      const server = await startClickHouse({ port: await freePort(), dataDir: newDataDir() });
      try {
        await send(server.url, 'CREATE TABLE t (n UInt64, s String) ORDER BY n', 1);
        await sendAll(server.url, warmUpCount);
        const before = residentBytes(server.pid);
        await sendAll(server.url, requestCount);
        expect(residentBytes(server.pid) - before).to.be.lessThan(maxGrowthBytes);
      } finally {
        await server.stop();
      }
    });
  });
}

async function sendAll(url: string, count: number): Promise<void> {
  let next = 0;
  const worker = async () => {
    for (let i = next++; i < count; i = next++)
      await send(url, statements[i % statements.length]!, i);
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

const statements = [
  "SELECT {i:UInt32}, getSetting('max_threads')",
  'SELECT number, toString(number) FROM numbers(20000) FORMAT JSONEachRow',
  'INSERT INTO t SELECT number, toString(number) FROM numbers(10)',
  'SELECT count(), quantilesExact(0.5, 0.9)(n), uniqExact(s) FROM t FORMAT JSON',
  'SELECT nothing FROM nowhere',
];

async function send(url: string, body: string, i: number): Promise<void> {
  const response = await fetch(`${url}/?param_i=${i}&max_execution_time=60`, {
    method: 'POST',
    body,
  });
  await response.arrayBuffer();
}
