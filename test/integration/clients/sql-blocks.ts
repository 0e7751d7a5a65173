import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

/** SQL in a document, for a reader to run. */
export interface SqlBlock {
  /** `docs/grafana.md:40` */
  readonly where: string;
  readonly sql: string;
  /** Why the tests do not run it: `<!-- not run: … -->` above the block. */
  readonly notRun?: string;
}

/** All SQL blocks of the README and docs/, and the SQL that they send with curl. */
export function sqlBlocks(): readonly SqlBlock[] {
  const pages = readdirSync(join(repositoryRoot, 'docs'), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`);
  return ['README.md', ...pages.sort()].flatMap((page) => {
    const text = readFileSync(join(repositoryRoot, page), 'utf8');
    const line = (at: number) => text.slice(0, at).split('\n').length;
    const fenced = [
      ...text.matchAll(/(?:<!-- not run: (?<reason>[^\n]*) -->\s*)?^ *```sql\n(?<sql>.*?)```/gms),
    ].map(({ index, groups }) => ({
      where: `${page}:${line(index)}`,
      sql: groups?.sql ?? '',
      ...(groups?.reason !== undefined && { notRun: groups.reason }),
    }));
    return [...fenced, ...curlSql(text).map((sql) => ({ where: `${page}, curl`, sql }))];
  });
}

/** The SQL of `curl … --data 'SELECT …'`. */
export function curlSql(text: string): readonly string[] {
  return [...text.matchAll(/--data '(SELECT [^']*)'/g)].map(([, sql = '']) => sql);
}

/** ClickHouse's statements are written in upper case, Postgres' in lower case. */
export function statementsOf(
  sql: string,
): readonly { sql: string; engine: 'clickhouse' | 'postgres' }[] {
  return sql
    .replace(/^ *--.*$/gm, '')
    .split(/;\s*(?:\n|$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== '')
    .map((statement) => ({
      sql: statement,
      engine: /^[A-Z]+\b/.test(statement) ? 'clickhouse' : 'postgres',
    }));
}
