import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { splitSqlStatements } from '../../../services/shared/clickhouse/split-sql-statements.ts';
import { repositoryRoot } from '../../../services/shared/repository-root.ts';

const folder = join(repositoryRoot, 'deploy/clickhouse');

describe('the dictionaries', () => {
  // The local engine takes a Map attribute; ClickHouse 25.8, 26.1 and 26.3 refuse it with code 50.
  it('have no Map or Tuple attribute, which the oldest supported ClickHouse refuses', () => {
    const dictionaries = readdirSync(folder)
      .filter((file) => file.endsWith('.sql'))
      .flatMap((file) => splitSqlStatements(readFileSync(join(folder, file), 'utf8')))
      .filter((statement) => /^CREATE DICTIONARY/m.test(statement));
    expect(dictionaries).to.have.lengthOf(2);
    for (const statement of dictionaries) {
      const [, attributes] = /^\(\n([\s\S]*?)^\)$/m.exec(statement) ?? [];
      expect(attributes)
        .to.be.a('string')
        .that.does.not.match(/\b(Map|Tuple)\(/);
    }
  });
});
