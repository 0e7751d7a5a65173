/**
 * The statements of an SQL file, without their closing semicolons. A semicolon inside a string, a
 * quoted name or a comment ends nothing: `SELECT ';' -- not here; either` is one statement.
 */
export function splitSqlStatements(sql: string): readonly string[] {
  const statements: string[] = [];
  let statement = '';
  let hasCode = false;
  for (const [token] of sql.matchAll(tokens)) {
    if (token === ';') {
      if (hasCode) statements.push(statement.trim());
      statement = '';
      hasCode = false;
    } else {
      statement += token;
      hasCode ||= !isComment(token) && token.trim() !== '';
    }
  }
  if (hasCode) statements.push(statement.trim());
  return statements;
}

// In order: -- to the end of the line, a block comment, 'text' and "name" and `name` with a
// backslash or a doubled quote inside, a semicolon, plain text, and a lone character such as the
// minus of 1 - 2. The last two take what is left, so the tokens always add up to the whole file.
const tokens =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\[\s\S]|[^'\\])*'|"(?:\\[\s\S]|[^"\\])*"|`(?:\\[\s\S]|[^`\\])*`|;|[^-/'"`;]+|[\s\S]/g;

function isComment(token: string): boolean {
  return token.startsWith('--') || token.startsWith('/*');
}
