import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { writeSampleMba } from '../../services/cli/mba/write-sample-mba.ts';
import { localStack, type LocalStack, stopLocalStack } from '../support/local-stack.ts';
import { netpanelOk } from '../support/netpanel.ts';
import { newTenant } from '../support/tenant.ts';

// How fast netpanel load is beside the same file posted to ClickHouse as it stands, in one run, turn
// by turn, the best of each:
//   node dist/test/bench/load.bench.js --rows 1000000 --rounds 3
// The file posted directly has no agents, so ClickHouse has less to write; the ratio bears that.

const { values } = parseArgs({
  options: {
    rows: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '3' },
  },
});
const folder = mkdtempSync(join(tmpdir(), 'netpanel-bench-'));
try {
  const path = await makeFile(Number(values.rows));
  await compare(await localStack(), path);
} finally {
  rmSync(folder, { recursive: true, force: true });
  await stopLocalStack();
}
process.exit(0);

async function makeFile(rows: number): Promise<string> {
  // 12 tests a day and unit.
  const unitCount = Math.ceil(rows / 360);
  const firstDayUtc = new Date('2026-09-01T00:00:00Z');
  await writeSampleMba({ outDir: folder, unitCount, days: 30, firstDayUtc, profile: undefined });
  return join(folder, 'curr_httpgetmt.csv');
}

async function compare(stack: LocalStack, path: string): Promise<void> {
  const megabytes = statSync(path).size / 1e6;
  const best = { directS: Infinity, loadS: Infinity };
  for (let round = 0; round < Number(values.rounds); round++) {
    const directS = await timed(stack, () => postDirectly(stack, path));
    const tenant = await newTenant(stack.database);
    const loadS = await timed(stack, async () => {
      await netpanelOk(stack, 'load', '--org', tenant.name, '--test', 'httpget', path);
    });
    best.directS = Math.min(best.directS, directS);
    best.loadS = Math.min(best.loadS, loadS);
    say(`round ${round + 1}: direct ${directS.toFixed(2)} s, netpanel load ${loadS.toFixed(2)} s`);
  }
  const rate = (seconds: number) => `${(megabytes / seconds).toFixed(1)} MB/s`;
  say(`direct ${rate(best.directS)}, netpanel load ${rate(best.loadS)}`);
  say(`ratio ${(best.directS / best.loadS).toFixed(2)} (at least 0.70 is wanted)`);
}

async function timed(stack: LocalStack, work: () => Promise<void>): Promise<number> {
  await stack.clickhouse.command({ query: 'TRUNCATE TABLE test_httpget' });
  const startedMs = performance.now();
  await work();
  return (performance.now() - startedMs) / 1000;
}

async function postDirectly({ clickhouseUrl }: LocalStack, path: string): Promise<void> {
  const url = new URL(clickhouseUrl);
  url.searchParams.set('query', 'INSERT INTO netpanel.test_httpget FORMAT CSVWithNames');
  const post = request(url, { method: 'POST' });
  const answered = new Promise<void>((resolve, reject) => {
    post.once('error', reject);
    post.once('response', (answer) => {
      answer.resume().once('end', () => {
        if (answer.statusCode === 200) resolve();
        else reject(new Error(`ClickHouse answered ${answer.statusCode}`));
      });
    });
  });
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), post);
  await answered;
}

function say(line: string): void {
  process.stdout.write(`${line}\n`);
}
