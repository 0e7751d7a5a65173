import type { ClickHouseSettings } from '../../services/shared/clickhouse/connect-clickhouse.ts';

/** How to reach the local ClickHouse, which knows one user without a password. */
export function localClickHouse(clickhouseUrl: string): ClickHouseSettings {
  return {
    clickhouseUrl,
    clickhouseDatabase: 'netpanel',
    clickhouseUser: 'default',
    clickhousePassword: '',
    clickhouseCluster: process.env.CLICKHOUSE_CLUSTER ?? '',
  };
}
