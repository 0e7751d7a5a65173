import { expect } from 'chai';
import { splitSqlStatements } from '../../../services/schema/clickhouse/split-sql-statements.ts';

describe('statements of an SQL file', () => {
  it('end at a semicolon, the last one with or without', () => {
    expect(splitSqlStatements('SELECT 1;\nSELECT 2 - 1;\nSELECT 6 / 2\n')).to.deep.equal([
      'SELECT 1',
      'SELECT 2 - 1',
      'SELECT 6 / 2',
    ]);
  });

  it('keep a semicolon in a string, a name or a comment', () => {
    const statement = "SELECT 'a;\\';''b;', \"c;\", `d;` -- e; it's\n/* f; ' */ FROM g";
    expect(splitSqlStatements(`${statement};SELECT 2;`)).to.deep.equal([statement, 'SELECT 2']);
  });

  it('are none where there are only comments and blank lines', () => {
    expect(splitSqlStatements('-- nothing;\n\n;;/* at all */;')).to.deep.equal([]);
  });
});
