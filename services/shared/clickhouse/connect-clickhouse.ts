import { type ClickHouseClient, ClickHouseLogLevel, createClient } from '@clickhouse/client';

export interface ClickHouseSettings {
  readonly clickhouseUrl: string;
  readonly clickhouseDatabase: string;
  readonly clickhouseUser: string;
  readonly clickhousePassword: string;
}

export function connectClickHouse(
  settings: ClickHouseSettings,
  application: string,
  maxConnections = 10,
): ClickHouseClient {
  return createClient({
    url: settings.clickhouseUrl,
    database: settings.clickhouseDatabase,
    username: settings.clickhouseUser,
    password: settings.clickhousePassword,
    application,
    max_open_connections: maxConnections,
    request_timeout: 600_000,
    // What fails is thrown and logged by whoever asked; the client's own lines are no JSON.
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: {
      // On by default since 26.2; we want an insert to be there when it has been answered.
      async_insert: 0,
    },
  });
}
