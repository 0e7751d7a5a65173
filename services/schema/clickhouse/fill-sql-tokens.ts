import type { ClickHouseSettings } from '../../shared/clickhouse/connect-clickhouse.ts';

/**
 * Puts the connection's values where a migration says ${database}, ${user} or ${password}. The last
 * two stand within quotes, where a dictionary logs in to its own server: PASSWORD '${password}'.
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
