import type { ClickHouseSettings } from '../../services/shared/clickhouse/connect-clickhouse.ts';

/** Connection settings of the local ClickHouse, which has one user without a password. */
export function localClickHouse(clickhouseUrl: string): ClickHouseSettings {
  return {
    clickhouseUrl,
    clickhouseDatabase: 'netpanel',
    clickhouseUser: 'default',
    clickhousePassword: '',
    clickhouseCluster: process.env.CLICKHOUSE_CLUSTER ?? '',
  };
}
