import { hostname } from 'node:os';
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
  /** PEM; empty or omitted: the public authorities. */
  readonly clickhouseCa?: string;
  /** Empty or omitted: a single server. */
  readonly clickhouseCluster?: string;
}

interface ConnectionOptions {
  readonly maxConnections?: number;
  readonly tracer?: ClickHouseTracer;
  /** How long a query may wait for data from ClickHouse. */
  readonly socketTimeoutMs?: number;
}

export function connectClickHouse(
  settings: ClickHouseSettings,
  application: string,
  { maxConnections = 10, tracer, socketTimeoutMs = 600_000 }: ConnectionOptions = {},
): ClickHouseClient {
  const { clickhouseCa = '' } = settings;
  return createClient({
    url: settings.clickhouseUrl,
    database: settings.clickhouseDatabase,
    username: settings.clickhouseUser,
    password: settings.clickhousePassword,
    application,
    ...(clickhouseCa === '' ? {} : { tls: { ca_cert: Buffer.from(clickhouseCa) } }),
    max_open_connections: maxConnections,
    ...(tracer === undefined ? {} : { tracer }),
    request_timeout: socketTimeoutMs,
    // Errors are thrown and logged by the caller; the client's own log lines are not JSON.
    log: { level: ClickHouseLogLevel.OFF },
    clickhouse_settings: {
      // On by default since 26.2. Off: inserted rows are visible when the insert returns.
      async_insert: 0,
      // On by default in old versions: an exception after the first rows would be one more row, `{"exception": "Code: …"}`,
      // in a response that ends properly.
      http_write_exception_in_output_format: 0,
      // ClickHouse refuses a query without a key if the quota is KEYED BY client_key (code 496). Queries over
      // the data of an organisation send its id instead.
      quota_key: `${application}@${hostname()}`,
      ...((settings.clickhouseCluster ?? '') === '' ? {} : clusterSettings),
    },
  });
}

const clusterSettings: QuerySettings = {
  // Inserted rows are on their shard when the insert returns, not in a queue.
  insert_distributed_sync: 1,
  // All rows of an agent are on one shard, so subqueries can run locally. The default refuses them.
  distributed_product_mode: 'local',
};
