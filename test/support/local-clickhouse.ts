import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { ClickHouseClient } from '@clickhouse/client';
import { startClickHouse } from '../../deploy/local/start-clickhouse.ts';
import type { LocalClickHouse } from '../../deploy/local/start-clickhouse.ts';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { freePort } from './free-port.ts';

let started: Promise<LocalClickHouse> | undefined;

/** The first start of all downloads the engine. */
export const startTimeoutMs = 300_000;

/** One server for all tests of the server itself; it ends with the test run. */
export function localClickHouse(): Promise<LocalClickHouse> {
  started ??= freePort().then((port) => startClickHouse({ port, dataDir: newDataDir() }));
  return started;
}

/** A folder for the data of one server, removed when the test run ends. */
export function newDataDir(): string {
  const parent = join(repositoryRoot, '.local');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'test-clickhouse-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A client that keeps the errors a test provokes out of the test's output. */
export function quietClient(
  url: string,
  options: Parameters<typeof createClient>[0] = {},
): ClickHouseClient {
  return createClient({ url, log: { level: ClickHouseLogLevel.OFF }, ...options });
}

/** A query that runs for hours unless somebody ends it. */
export const endlessQuery = 'SELECT sum(sipHash64(number)) FROM numbers(1000000000000)';

/** Resolves when the server has the query, which it tells without asking the engine. */
export async function queryHasArrived(url: string, queryId: string): Promise<void> {
  const body = `KILL QUERY WHERE query_id = '${queryId}' TEST`;
  for (;;) {
    const answer = await fetch(url, { method: 'POST', body });
    if ((await answer.text()).includes(queryId)) return;
  }
}
