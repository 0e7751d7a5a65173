import type { ClickHouseClient } from '@clickhouse/client';
import type { Database } from './postgres/connect-postgres.ts';

/** Both databases, for work on all organisations. */
export interface Stores {
  readonly database: Database;
  readonly clickhouse: ClickHouseClient;
  /** Name of the ClickHouse cluster; empty for a single server. */
  readonly cluster: string;
}
