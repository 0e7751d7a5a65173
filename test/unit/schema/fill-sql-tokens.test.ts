import { expect } from 'chai';
import { fillSqlTokens } from '../../../services/schema/clickhouse/migrate-clickhouse.ts';

describe('tokens of a migration', () => {
  const tokens = {
    clickhouseUrl: 'http://127.0.0.1:8123',
    clickhouseDatabase: 'panel',
    clickhouseUser: 'default',
    clickhousePassword: "it's \\ $& ${user}",
  };

  it('become the database and the user', () => {
    expect(fillSqlTokens("USER '${user}' QUERY 'SELECT 1 FROM ${database}.t'", tokens)).to.equal(
      "USER 'default' QUERY 'SELECT 1 FROM panel.t'",
    );
  });

  it('escape a password with quotes, backslashes and dollars', () => {
    expect(fillSqlTokens("PASSWORD '${password}'", tokens)).to.equal(
      "PASSWORD 'it\\'s \\\\ $& ${user}'",
    );
  });
});
