import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { localClickHouse } from '../../deploy/local/local-clickhouse.ts';
import { spawnSupervisor, type Supervised } from '../../deploy/local/spawn-supervisor.ts';
import type { StackOptions } from '../../deploy/local/stack-options.ts';
import { connectClickHouse } from '../../services/shared/clickhouse/connect-clickhouse.ts';
import { connectPostgres, type Database } from '../../services/shared/postgres/connect-postgres.ts';
import { repositoryRoot } from '../../services/shared/repository-root.ts';
import { freePorts } from './free-ports.ts';

/** The sample panel of the tests ends here, whatever the day: two clock changes lie in its range. */
export const sampleEndsAt = new Date('2026-11-15T00:00:00Z');

export interface LocalStack {
  readonly queryUrl: string;
  readonly queryOpsUrl: string;
  readonly metadataUrl: string;
  readonly metadataOpsUrl: string;
  readonly clickhouseUrl: string;
  readonly databaseUrl: string;
  /** Everything `.local/env` would hold, the demo tokens among it. */
  readonly env: Readonly<Record<string, string>>;
  readonly stateDir: string;
  readonly database: Database;
  readonly clickhouse: ClickHouseClient;
}

let running: Promise<{ stack: LocalStack; supervised: Supervised }> | undefined;

/** One whole stack for all tests, on ports of its own, started by the runner or by the first test that asks. */
export async function localStack(): Promise<LocalStack> {
  if (running === undefined) {
    running = start();
    // What else this process had in mind would go on against a stack that is stopping.
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stopAndLeave);
  }
  return (await running).stack;
}

export async function stopLocalStack(): Promise<void> {
  // A stack that failed to start was reported by whoever asked for it, and has stopped itself.
  const started = await running?.catch(() => undefined);
  if (started === undefined) return;
  const { stack, supervised } = started;
  await stack.clickhouse.close();
  await stack.database.destroy();
  await supervised.stop();
  await rm(stack.stateDir, { recursive: true, force: true });
}

function stopAndLeave(): void {
  void stopLocalStack().finally(() => process.exit(130));
}

async function start(): Promise<{ stack: LocalStack; supervised: Supervised }> {
  const options = await newStackOptions('test');
  const supervised = await spawnSupervisor(options, () => undefined);
  const { env } = supervised;
  const value = (name: string) => env[name] ?? '';
  const stack: LocalStack = {
    queryUrl: value('QUERY_URL'),
    queryOpsUrl: value('QUERY_OPS_URL'),
    metadataUrl: value('METADATA_URL'),
    metadataOpsUrl: value('METADATA_OPS_URL'),
    clickhouseUrl: value('CLICKHOUSE_URL'),
    databaseUrl: value('DATABASE_URL'),
    env,
    stateDir: options.stateDir,
    database: connectPostgres(value('DATABASE_URL'), 10, 'netpanel-test'),
    clickhouse: connectClickHouse(localClickHouse(value('CLICKHOUSE_URL')), 'netpanel-test'),
  };
  return { stack, supervised };
}

/** A stack on free ports, with its state in a folder of its own. */
export async function newStackOptions(name: string): Promise<StackOptions> {
  const [query, metadata, queryOps, metadataOps, clickhouse, postgres] = (await freePorts(6)) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ];
  return {
    ports: { query, metadata, queryOps, metadataOps, clickhouse, postgres },
    stateDir: join(repositoryRoot, '.local', `${name}-${process.pid}`),
    sampleEndsAt: sampleEndsAt.toISOString(),
  };
}
