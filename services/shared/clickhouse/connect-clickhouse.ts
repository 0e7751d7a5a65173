import {
  type ClickHouseClient,
  ClickHouseLogLevel,
  type ClickHouseTracer,
  type ClickHouseSettings as QuerySettings,
  createClient,
} from '@clickhouse/client';

export interface ClickHouseSettings {
  readonly clickhouseUrl: string;
  readonly clickhouseDatabase: string;
  readonly clickhouseUser: string;
  readonly clickhousePassword: string;
  /** Empty or left out: a single server. */
  readonly clickhouseCluster?: string;
}

interface ConnectionOptions {
  readonly maxConnections?: number;
  readonly tracer?: ClickHouseTracer;
  /** How long a connection may bring nothing while an answer is awaited. */
  readonly socketTimeoutMs?: number;
}

export function connectClickHouse(
  settings: ClickHouseSettings,
  application: string,
  { maxConnections = 10, tracer, socketTimeoutMs = 600_000 }: ConnectionOptions = {},
): ClickHouseClient {
  return createClient({
    url: settings.clickhouseUrl,
    database: settings.clickhouseDatabase,
    username: settings.clickhouseUser,
    password: settings.clickhousePassword,
    application,
    max_open_connections: maxConnections,
    ...(tracer === undefined ? {} : { tracer }),
    request_timeout: socketTimeoutMs,
    // Errors are thrown and logged by the caller; the client's own log lines are not JSON.
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: {
      // On by default since 26.2; we want an insert to be there when it has been answered.
      async_insert: 0,
      ...((settings.clickhouseCluster ?? '') === '' ? {} : clusterSettings),
    },
  });
}

const clusterSettings: QuerySettings = {
  // On its shard when it has been answered, and not in a queue on the way there.
  insert_distributed_sync: 1,
  // A subquery about an agent's other rows finds them on the same shard; the default refuses it.
  distributed_product_mode: 'local',
};
