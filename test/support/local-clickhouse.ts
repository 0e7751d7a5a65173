import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { ClickHouseLogLevel, createClient } from '@clickhouse/client';
import type { ClickHouseClient } from '@clickhouse/client';
import { startClickHouse } from '../../deploy/local/start-clickhouse.ts';
import type { LocalClickHouse } from '../../deploy/local/start-clickhouse.ts';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { freePort } from './free-port.ts';

let started: Promise<LocalClickHouse> | undefined;

/** One server shared by all tests of the server itself; it stops with the test run. */
export function localClickHouse(): Promise<LocalClickHouse> {
  started ??= freePort().then((port) => startClickHouse({ port, dataDir: newDataDir() }));
  return started;
}

/** A data folder for one server, removed when the test run ends. */
export function newDataDir(): string {
  const parent = join(repositoryRoot, '.local');
  mkdirSync(parent, { recursive: true });
  const folder = mkdtempSync(join(parent, 'test-clickhouse-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A client that does not log the errors a test provokes. */
export function quietClient(
  url: string,
  options: Parameters<typeof createClient>[0] = {},
): ClickHouseClient {
  return createClient({ url, log: { level: ClickHouseLogLevel.OFF }, ...options });
}

/** A query that runs for hours unless it is killed. */
export const endlessQuery = 'SELECT sum(sipHash64(number)) FROM numbers(1000000000000)';

/** Resolves when the server has received the query. */
export async function queryHasArrived(url: string, queryId: string): Promise<void> {
  while (!(await isQueryRunning(url, queryId)));
}

/** The local server handles this KILL without the engine, so it works while the engine is busy. */
export async function isQueryRunning(url: string, queryId: string): Promise<boolean> {
  const body = `KILL QUERY WHERE query_id = '${queryId}' TEST`;
  const response = await fetch(url, { method: 'POST', body });
  return (await response.text()).includes(queryId);
}
