import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { printQuery, type PrintedQuery } from '../../../services/shared/sql/print-query.ts';
import type { Query } from '../../../services/shared/sql/select.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

/**
 * Compares queries with the sections of test/unit/compiler/golden/<file>.sql, one test per query. After an
 * intended change, update the file and review the diff:
 *
 *   UPDATE_GOLDEN=1 npm test -- unit/compiler
 */
export function testGolden(file: string, queries: Readonly<Record<string, Query>>): void {
  const path = join(repositoryRoot, `test/unit/compiler/golden/${file}.sql`);
  const sections = Object.entries(queries).map(
    ([name, query]) => [name, sectionText(printQuery(query))] as const,
  );
  if (process.env.UPDATE_GOLDEN === '1') {
    writeFileSync(path, sections.map(([name, text]) => `${heading}${name}\n${text}`).join('\n'));
  }
  const golden = new Map(
    readFileSync(path, 'utf8')
      .split(heading)
      .map((section) => {
        const [name = '', ...lines] = section.trimEnd().split('\n');
        return [name, `${lines.join('\n')}\n`] as const;
      }),
  );

  for (const [name, text] of sections) {
    it(`matches golden/${file}.sql: ${name}`, () => expect(text).to.equal(golden.get(name)));
  }
  it(`covers all of golden/${file}.sql`, () => {
    expect([...golden.keys()].filter((name) => name !== '')).to.deep.equal(Object.keys(queries));
  });
  it(`has lines of at most 120 characters in golden/${file}.sql`, () => {
    const lines = sections.flatMap(([, text]) => text.split('\n'));
    expect(lines.filter((line) => line.length > 120)).to.deep.equal([]);
  });
}

const heading = '-- ## ';

function sectionText({ sql, params }: PrintedQuery): string {
  const values = Object.entries(params).map(
    ([name, { type, value }]) => `-- ${name} ${type} ${JSON.stringify(value)}`,
  );
  return [...values, sql, ''].join('\n');
}
