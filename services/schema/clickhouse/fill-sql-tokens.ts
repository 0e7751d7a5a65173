import type { ClickHouseSettings } from '../../shared/clickhouse/connect-clickhouse.ts';

/**
 * Replaces ${database}, ${user} and ${password} in a migration by the values of the connection. The last
 * two are within quotes, where a dictionary logs in to its own server: PASSWORD '${password}'.
 */
export function fillSqlTokens(sql: string, settings: ClickHouseSettings): string {
  const values: Record<string, string> = {
    database: settings.clickhouseDatabase,
    user: escapeQuoted(settings.clickhouseUser),
    password: escapeQuoted(settings.clickhousePassword),
  };
  return sql.replace(/\$\{(\w+)\}/g, (token, name: string) => values[name] ?? token);
}

function escapeQuoted(text: string): string {
  return text.replace(/[\\']/g, '\\$&');
}
