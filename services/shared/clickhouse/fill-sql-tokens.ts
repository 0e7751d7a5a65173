export interface SqlTokens {
  readonly database: string;
  readonly username: string;
  readonly password: string;
}

/**
 * Puts the connection's values where a migration says ${database}, ${user} or ${password}. The last
 * two stand within quotes, where a dictionary logs in to its own server: PASSWORD '${password}'.
 */
export function fillSqlTokens(sql: string, tokens: SqlTokens): string {
  const values: Record<string, string> = {
    database: tokens.database,
    user: escapeQuoted(tokens.username),
    password: escapeQuoted(tokens.password),
  };
  return sql.replace(/\$\{(\w+)\}/g, (token, name: string) => values[name] ?? token);
}

function escapeQuoted(text: string): string {
  return text.replace(/[\\']/g, '\\$&');
}
