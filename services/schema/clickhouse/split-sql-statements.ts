/**
 * The statements of an SQL file, without the semicolons. A semicolon within a string, a quoted name or a
 * comment does not end a statement: `SELECT ';' -- not here; either` is one statement.
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

// In order: -- to the end of the line, a block comment, 'text', "name" and `name` with a backslash or a
// doubled quote inside, a semicolon, plain text, and a single character such as the minus of 1 - 2. The
// last two match everything else, so the tokens always add up to the whole file.
const tokens =
  /--[^\n]*|\/\*[\s\S]*?\*\/|'(?:\\[\s\S]|[^'\\])*'|"(?:\\[\s\S]|[^"\\])*"|`(?:\\[\s\S]|[^`\\])*`|;|[^-/'"`;]+|[\s\S]/g;

function isComment(token: string): boolean {
  return token.startsWith('--') || token.startsWith('/*');
}
