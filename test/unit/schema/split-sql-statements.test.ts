import { expect } from 'chai';
import { splitSqlStatements } from '../../../services/schema/clickhouse/read-migrations.ts';

describe('statements of an SQL file', () => {
  it('end at a semicolon, which is optional at the end', () => {
    expect(splitSqlStatements('SELECT 1;\nSELECT 2 - 1;\nSELECT 6 / 2\n')).to.deep.equal([
      'SELECT 1',
      'SELECT 2 - 1',
      'SELECT 6 / 2',
    ]);
  });

  it('may contain a semicolon in a string, a name or a comment', () => {
    const statement = "SELECT 'a;\\';''b;', \"c;\", `d;` -- e; it's\n/* f; ' */ FROM g";
    expect(splitSqlStatements(`${statement};SELECT 2;`)).to.deep.equal([statement, 'SELECT 2']);
  });

  it('are empty for comments and blank lines only', () => {
    expect(splitSqlStatements('-- nothing;\n\n;;/* at all */;')).to.deep.equal([]);
  });
});
