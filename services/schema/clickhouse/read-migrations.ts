import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../shared/repository-root.ts';
import { parseStatement, type SchemaStatement } from './parse-statement.ts';

export const migrationFolder = join(repositoryRoot, 'services/schema/clickhouse/migrations');

export interface Migration {
  readonly version: number;
  /** Such as 001_bookkeeping. */
  readonly name: string;
  /** Runs after the generated objects are replaced: `005_drop_address.after.sql`. */
  readonly isAfter: boolean;
  readonly sha256: string;
  readonly statements: readonly MigrationStatement[];
}

interface MigrationStatement extends SchemaStatement {
  readonly sha256: string;
}

/** The migrations of a folder, in order. Throws if a statement is not allowed, with its file and text. */
export function readMigrations(folder = migrationFolder): readonly Migration[] {
  const numbers = new Set<string>();
  return readdirSync(folder)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((file) => {
      const [, number, after] = /^(\d{3})_\w+(\.after)?\.sql$/.exec(file) ?? [];
      if (number === undefined) throw new Error(`Migration ${file} must be named NNN_name.sql`);
      // Two branches cannot both add a 006 unnoticed. A gap is a number that another branch has taken.
      if (numbers.has(number)) throw new Error(`Migration ${file} must have a unique number`);
      numbers.add(number);
      const sql = readFileSync(join(folder, file), 'utf8');
      const isAfter = after !== undefined;
      return {
        version: Number(number),
        name: file.replace(/\.sql$/, ''),
        isAfter,
        sha256: sha256(sql),
        statements: splitSqlStatements(sql).map((text) => statementOf(text, file, isAfter)),
      };
    });
}

export function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

function statementOf(sql: string, file: string, isAfter: boolean): MigrationStatement {
  try {
    const statement = parseStatement(sql);
    if (!isAfter && isDrop(statement)) {
      throw new Error(
        'move it to a file named NNN_….after.sql, which runs after the views are replaced',
      );
    }
    return { ...statement, sha256: sha256(statement.text) };
  } catch (error) {
    throw new Error(`Migration ${file}, "${firstLine(sql)}": ${(error as Error).message}`, {
      cause: error,
    });
  }
}

/** ClickHouse refuses to drop a column that a generated view of the previous release reads (code 524). */
function isDrop({ kind, head, text }: SchemaStatement): boolean {
  return kind === 'drop' || text.slice(head.length).trim().startsWith('DROP COLUMN');
}

/** The first line of a statement that is not a comment. */
export function firstLine(sql: string): string {
  return /^(?!--).*\S.*$/m.exec(sql)?.[0] ?? '';
}

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
