import { userInfo } from 'node:os';
import type { ClickHouseClient } from '@clickhouse/client';
import { connectClickHouse } from '../shared/clickhouse/connect-clickhouse.ts';
import { connectPostgres, type Database } from '../shared/postgres/connect-postgres.ts';
import { readCliConfig } from './config.ts';

/** Connects to Postgres while `work` runs. */
export async function withDatabase<T>(
  work: (database: Database) => Promise<T>,
  { connections = 2, onConnect }: PostgresOptions = {},
): Promise<T> {
  const { databaseUrl } = readCliConfig();
  const options = onConnect === undefined ? {} : { onConnect };
  const database = connectPostgres(databaseUrl, connections, operatorName(), options);
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}

interface PostgresOptions {
  readonly connections?: number;
  /** A statement that every new connection runs first. */
  readonly onConnect?: string;
}

/** Connects to both databases while `work` runs. */
export async function withStores<T>(
  work: (database: Database, clickhouse: ClickHouseClient) => Promise<T>,
  options?: PostgresOptions,
): Promise<T> {
  return withDatabase(async (database) => {
    const clickhouse = connectClickHouse(readCliConfig(), 'netpanel-cli');
    try {
      return await work(database, clickhouse);
    } finally {
      await clickhouse.close();
    }
  }, options);
}

/** The name of the connection in Postgres, which the audit records as the actor: `netpanel-cli (alice)`. */
export function operatorName(): string {
  return `netpanel-cli (${userName()})`;
}

// A container may run as a user id that has no name.
function userName(): string {
  try {
    return userInfo().username;
  } catch {
    return `user ${process.getuid?.() ?? ''}`;
  }
}
