import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { request } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { latestStyle } from '../../deploy/local/sample/mba/release-style.ts';
import { writeSampleMba } from '../../deploy/local/sample/mba/write-sample-mba.ts';
import type { LocalStack } from '../../test/support/local-stack.ts';
import { netpanelOk } from '../../test/support/netpanel.ts';
import { newTenant } from '../../test/support/tenant.ts';
import type { Bench } from '../bench.ts';
import type { Measurement } from '../measure/measurement.ts';
import { timedMs } from '../measure/side-by-side.ts';

const rows = 1_000_000;

/**
 * The speed of `netpanel load` compared with a direct INSERT of the same file into ClickHouse, the best
 * of each. The direct INSERT has no agents, so ClickHouse writes less.
 */
export async function loading({ stack, print }: Bench): Promise<Measurement[]> {
  const folder = mkdtempSync(join(tmpdir(), 'netpanel-bench-'));
  try {
    const path = await makeFile(folder);
    const best = { directMs: Infinity, loadMs: Infinity };
    for (let round = 0; round < 3; round++) {
      const directMs = await intoEmptyTable(stack, () => postDirectly(stack, path));
      const tenant = await newTenant(stack.database);
      const loadMs = await intoEmptyTable(stack, async () => {
        await netpanelOk(
          stack,
          'load',
          '--org',
          tenant.name,
          '--test',
          'httpget',
          '--no-wait',
          path,
        );
      });
      best.directMs = Math.min(best.directMs, directMs);
      best.loadMs = Math.min(best.loadMs, loadMs);
      print(
        `direct ${(directMs / 1000).toFixed(2)} s, netpanel load ${(loadMs / 1000).toFixed(2)} s`,
      );
    }
    const megabytes = statSync(path).size / 1e6;
    const about = { section: 'loading' } as const;
    return [
      { ...about, what: 'netpanel load', value: (1000 * megabytes) / best.loadMs, unit: 'MB/s' },
      {
        ...about,
        what: 'netpanel load against posting the file',
        value: best.directMs / best.loadMs,
        unit: '',
        target: { atLeast: 0.7 },
      },
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function makeFile(folder: string): Promise<string> {
  // 12 tests per day and unit.
  const unitCount = Math.ceil(rows / 360);
  const firstDayUtc = new Date('2026-09-01T00:00:00Z');
  await writeSampleMba({
    outDir: folder,
    unitCount,
    days: 30,
    firstDayUtc,
    profile: undefined,
    style: latestStyle,
    isZipped: false,
  });
  return join(folder, 'curr_httpgetmt.csv');
}

async function intoEmptyTable(stack: LocalStack, work: () => Promise<void>): Promise<number> {
  await stack.clickhouse.command({ query: 'TRUNCATE TABLE test_httpget' });
  return timedMs(work);
}

async function postDirectly({ clickhouseUrl }: LocalStack, path: string): Promise<void> {
  const url = new URL(clickhouseUrl);
  url.searchParams.set('query', 'INSERT INTO netpanel.test_httpget FORMAT CSVWithNames');
  const post = request(url, { method: 'POST' });
  const finished = new Promise<void>((resolve, reject) => {
    post.once('error', reject);
    post.once('response', (response) => {
      response.resume().once('end', () => {
        if (response.statusCode === 200) resolve();
        else reject(new Error(`the INSERT failed with status ${response.statusCode}`));
      });
    });
  });
  await pipeline(createReadStream(path, { highWaterMark: 1024 * 1024 }), post);
  await finished;
}
