import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { ClickHouseClient } from '@clickhouse/client';
import { Registry } from '../../services/shared/metrics.ts';
import { localClickHouse } from '../../deploy/local/local-clickhouse.ts';
import {
  startSnapshots,
  type Snapshots,
} from '../../services/metadata/snapshot/start-snapshots.ts';
import { verifySnapshot } from '../../services/metadata/snapshot/verify-snapshot.ts';
import {
  type ClickHouseSettings,
  connectClickHouse,
} from '../../services/shared/clickhouse/connect-clickhouse.ts';
import { migrateSchemas } from '../../services/schema/migrate-schemas.ts';
import { createLogger } from '../../services/shared/logging/create-logger.ts';
import { connectPostgres, type Database } from '../../services/shared/postgres/connect-postgres.ts';
import { returnClickHouseCopy, takeClickHouseCopy } from './clickhouse-copies.ts';
import { localStack } from './local-stack.ts';
import { migratedTemplate } from './migrated-template.ts';
import { noRateLimits } from './no-rate-limits.ts';

/** New databases for one test in the stack's Postgres and ClickHouse servers. No publisher uses them. */
export interface IsolatedStores {
  readonly database: Database;
  readonly clickhouse: ClickHouseClient;
  /** Environment of a process that uses them. */
  readonly env: Readonly<Record<string, string>>;
  /** Starts a publisher in this process. */
  readonly startPublisher: () => Snapshots;
  /** All differences between the dictionary and Postgres. */
  readonly differences: () => Promise<readonly string[]>;
  readonly close: () => Promise<void>;
}

/** With the schemas of this build. */
export async function isolatedStores(): Promise<IsolatedStores> {
  if (process.env.CLICKHOUSE_CLUSTER !== undefined) return migratedStores();
  const { postgresDatabase } = await migratedTemplate();
  const settings = await takeClickHouseCopy();
  return createStores(postgresDatabase, settings, () => returnClickHouseCopy(settings));
}

/** The same by real migrations, which take longer. */
export async function migratedStores(): Promise<IsolatedStores> {
  const stores = await emptyIsolatedStores();
  await migrateSchemas(stores.database, stores.clickhouseSettings);
  return stores;
}

/** The same before the migrations: an empty Postgres database, and no ClickHouse database. */
export async function emptyIsolatedStores(): Promise<UnmigratedStores> {
  const { clickhouseUrl, clickhouse } = await localStack();
  const name = newName();
  const settings = { ...localClickHouse(clickhouseUrl), clickhouseDatabase: name };
  return createStores('template1', settings, async () => {
    await clickhouse.command({ query: `DROP DATABASE IF EXISTS ${name}` });
  });
}

interface UnmigratedStores extends IsolatedStores {
  readonly clickhouseSettings: ClickHouseSettings;
}

async function createStores(
  postgresTemplate: string,
  settings: ClickHouseSettings,
  closeClickHouse: () => Promise<void>,
): Promise<UnmigratedStores> {
  const stack = await localStack();
  const name = newName();
  await stack.database.raw('create database ?? template ??', [name, postgresTemplate]);
  const databaseUrl = new URL(stack.databaseUrl);
  databaseUrl.pathname = `/${name}`;
  const database = connectPostgres(databaseUrl.href, 10, name);
  const clickhouse = connectClickHouse(settings, name);

  return {
    database,
    clickhouse,
    clickhouseSettings: settings,
    env: {
      DATABASE_URL: databaseUrl.href,
      CLICKHOUSE_URL: settings.clickhouseUrl,
      CLICKHOUSE_DATABASE: settings.clickhouseDatabase,
      CLICKHOUSE_USER: settings.clickhouseUser,
      CLICKHOUSE_PASSWORD: settings.clickhousePassword,
      // Not the default, a folder of the checkout.
      EXPORT_FOLDER: join(stack.stateDir, 'exports'),
      ...noRateLimits,
    },
    startPublisher: () =>
      startSnapshots(database, clickhouse, {
        logger: createLogger(name, 'error'),
        registry: new Registry(),
      }),
    differences: () => snapshotDifferences(database, clickhouse),
    close: async () => {
      await clickhouse.close();
      await database.destroy();
      await closeClickHouse();
    },
  };
}

function newName(): string {
  return `test_${randomBytes(6).toString('hex')}`;
}

/** Every way in which the dictionary differs from Postgres. */
export async function snapshotDifferences(
  database: Database,
  clickhouse: ClickHouseClient,
): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { differences } of verifySnapshot(database, clickhouse)) {
    found.push(...differences.map(({ agentKey, text }) => `${agentKey}: ${text}`));
  }
  return found;
}
