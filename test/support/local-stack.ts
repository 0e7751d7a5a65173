import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { localClickHouse } from '../../deploy/local/local-clickhouse.ts';
import { sampleDays } from '../../deploy/local/sample/panel/sample-range.ts';
import { spawnSupervisor, type Supervised } from '../../deploy/local/spawn-supervisor.ts';
import type { StackOptions } from '../../deploy/local/stack-options.ts';
import { connectClickHouse } from '../../services/shared/clickhouse/connect-clickhouse.ts';
import { connectPostgres, type Database } from '../../services/shared/postgres/connect-postgres.ts';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { freePorts } from './free-ports.ts';
import { noRateLimits } from './no-rate-limits.ts';

/** Fixed end of the sample panel. Two clock changes lie in its range. */
export const sampleEndsAt = new Date('2026-11-15T00:00:00Z');

export interface LocalStack {
  readonly queryUrl: string;
  readonly queryOpsUrl: string;
  readonly metadataUrl: string;
  readonly metadataOpsUrl: string;
  readonly ingestUrl: string;
  readonly ingestOpsUrl: string;
  readonly clickhouseUrl: string;
  readonly databaseUrl: string;
  /** The content of `.local/env`, including the demo tokens. */
  readonly env: Readonly<Record<string, string>>;
  readonly stateDir: string;
  readonly database: Database;
  readonly clickhouse: ClickHouseClient;
}

interface StartedStack {
  readonly stack: LocalStack;
  readonly supervised: Supervised;
}

let running: Promise<StartedStack> | undefined;

/** One stack shared by all tests, on free ports, started by the runner or by the first call. */
export async function localStack(): Promise<LocalStack> {
  if (running === undefined) {
    running = start();
    // Exit after the stack stopped, or the remaining tests would run without it.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopAndExit);
  }
  return (await running).stack;
}

export async function stopLocalStack(): Promise<void> {
  // A stack that failed to start has stopped itself, and localStack() has thrown the error.
  const started = await running?.catch(() => undefined);
  if (started === undefined) return;
  await stopTestStack(started);
}

export async function stopTestStack({ stack, supervised }: StartedStack): Promise<void> {
  await stack.clickhouse.close();
  await stack.database.destroy();
  await supervised.stop();
  await rm(stack.stateDir, { recursive: true, force: true });
}

function stopAndExit(): void {
  void stopLocalStack().finally(() => process.exit(130));
}

async function start(): Promise<StartedStack> {
  const options = await newStackOptions('test');
  // Tests wait until a revoked token or grant has left the caches.
  const shortCaches = { TOKEN_CACHE_MS: '500', ACCESS_CACHE_MS: '500' };
  const settings = { ...options.settings, ...shortCaches };
  const started = await startTestStack({ ...options, settings });
  // Services that a test starts have the default caches.
  const others = Object.entries(started.stack.env).filter(([name]) => !(name in shortCaches));
  return { ...started, stack: { ...started.stack, env: Object.fromEntries(others) } };
}

export async function startTestStack(options: StackOptions): Promise<StartedStack> {
  const supervised = await spawnSupervisor(options, () => undefined);
  const { env } = supervised;
  const value = (name: string) => env[name] ?? '';
  const stack: LocalStack = {
    queryUrl: value('QUERY_URL'),
    queryOpsUrl: value('QUERY_OPS_URL'),
    metadataUrl: value('METADATA_URL'),
    metadataOpsUrl: value('METADATA_OPS_URL'),
    ingestUrl: value('INGEST_URL'),
    ingestOpsUrl: value('INGEST_OPS_URL'),
    clickhouseUrl: value('CLICKHOUSE_URL'),
    databaseUrl: value('DATABASE_URL'),
    env,
    stateDir: options.stateDir,
    database: connectPostgres(value('DATABASE_URL'), 10, 'netpanel-test'),
    clickhouse: connectClickHouse(localClickHouse(value('CLICKHOUSE_URL')), 'netpanel-test'),
  };
  return { stack, supervised };
}

/** Options of a stack on free ports with a separate state folder. */
export async function newStackOptions(name: string): Promise<StackOptions> {
  const ports = await freePorts(8);
  const port = (place: number) => ports[place] ?? 0;
  return {
    ports: {
      query: port(0),
      metadata: port(1),
      queryOps: port(2),
      metadataOps: port(3),
      ingest: port(4),
      ingestOps: port(5),
      clickhouse: port(6),
      postgres: port(7),
    },
    stateDir: join(repositoryRoot, '.local', `${name}-${process.pid}`),
    sampleEndsAt: sampleEndsAt.toISOString(),
    // Set for the tests on the WebAssembly engine, which needs a minute for all results.
    sampleResultDays: Number(process.env.SAMPLE_RESULT_DAYS ?? sampleDays),
    settings: noRateLimits,
  };
}
