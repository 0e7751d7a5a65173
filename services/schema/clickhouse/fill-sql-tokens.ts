import type { ClickHouseSettings } from '../../shared/clickhouse/connect-clickhouse.ts';

/**
 * Replaces ${database}, ${user} and ${password} in a migration. The last two must be within quotes, as
 * in the source of a dictionary: PASSWORD '${password}'.
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
