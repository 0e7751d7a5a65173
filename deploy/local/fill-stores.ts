import { seedSamplePanel } from './sample/panel/seed-sample-panel.ts';
import { connectClickHouse } from '../../services/shared/clickhouse/connect-clickhouse.ts';
import { migrateSchemas } from '../../services/schema/migrate-schemas.ts';
import type { EnvFile } from '../../services/shared/config/env-file.ts';
import { connectPostgres } from '../../services/shared/postgres/connect-postgres.ts';
import { demoTokens } from './demo-tokens.ts';
import { localClickHouse } from './local-clickhouse.ts';
import type { StackOptions } from './stack-options.ts';

export interface StoreUrls {
  readonly clickhouseUrl: string;
  readonly databaseUrl: string;
}

const sampleSeed = 2026;

export async function migrateStores({ clickhouseUrl, databaseUrl }: StoreUrls): Promise<void> {
  const database = connectPostgres(databaseUrl, 2, 'netpanel-local');
  try {
    await migrateSchemas(database, localClickHouse(clickhouseUrl));
  } finally {
    await database.destroy();
  }
}

/** Loads the sample panel and creates tokens. Returns the tokens as variables for `.local/env`. */
export async function fillStores(
  options: StackOptions,
  { clickhouseUrl, databaseUrl }: StoreUrls,
  earlierEnv: EnvFile,
): Promise<EnvFile> {
  const database = connectPostgres(databaseUrl, 4, 'netpanel-local');
  const clickhouse = connectClickHouse(localClickHouse(clickhouseUrl), 'netpanel-local');
  try {
    const endsAt = new Date(options.sampleEndsAt);
    const { sampleResultDays: resultDays } = options;
    await seedSamplePanel({ database, clickhouse, endsAt, seed: sampleSeed, resultDays });
    return await demoTokens(database, earlierEnv);
  } finally {
    await clickhouse.close();
    await database.destroy();
  }
}
