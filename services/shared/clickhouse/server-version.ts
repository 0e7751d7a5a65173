import { type ClickHouseSettings, connectClickHouse } from './connect-clickhouse.ts';
import { queryRows } from './query-rows.ts';

const timeoutMs = 15_000;

/**
 * The version of the server, such as 25.8.2.29. Uses a separate connection, because our database may
 * not exist yet.
 */
export async function serverVersion(settings: ClickHouseSettings): Promise<string> {
  const client = connectClickHouse(
    { ...settings, clickhouseDatabase: 'default' },
    'netpanel-version',
    { maxConnections: 1, socketTimeoutMs: timeoutMs },
  );
  try {
    const [row] = await queryRows<{ version: string }>(client, 'SELECT version() AS version');
    return row?.version ?? '';
  } finally {
    await client.close();
  }
}
