import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect } from 'chai';
import { readMigrations } from '../../../services/schema/clickhouse/read-migrations.ts';

describe('a migration file', () => {
  const rejected: Readonly<Record<string, string>> = {
    'CREATE TABLE t (a UInt8)': 'IF NOT EXISTS',
    'CREATE OR REPLACE TABLE t (a UInt8)': 'loses its rows',
    'CREATE TABLE IF NOT EXISTS t (a UInt8) ENGINE = Memory': 'ENGINE = …MergeTree',
    'CREATE DICTIONARY d (a UInt8)': 'IF NOT EXISTS',
    'CREATE VIEW IF NOT EXISTS v AS SELECT 1': 'CREATE OR REPLACE VIEW',
    'CREATE MATERIALIZED VIEW IF NOT EXISTS v TO t AS SELECT 1': 'generated/generated-objects.ts',
    'ALTER TABLE v MODIFY QUERY SELECT 1': 'generated/generated-objects.ts',
    'ALTER TABLE t ADD COLUMN a UInt8': 'IF NOT EXISTS',
    'ALTER TABLE t DROP COLUMN a': 'IF EXISTS',
    'ALTER TABLE t RENAME COLUMN a TO b': 'IF EXISTS',
    'ALTER TABLE t MODIFY COLUMN a REMOVE DEFAULT': 'the new definition',
    'ALTER TABLE t ADD COLUMN IF NOT EXISTS a UInt8, ADD COLUMN IF NOT EXISTS b UInt8':
      'one ALTER TABLE per change',
    'ALTER TABLE t REMOVE TTL': 'docs/schema-changes.md',
    'ALTER TABLE t UPDATE a = a + 1 WHERE 1': 'docs/schema-changes.md',
    'DROP TABLE t': 'IF EXISTS',
    'DROP DATABASE IF EXISTS d': 'docs/schema-changes.md',
    'INSERT INTO t VALUES (1)': 'INSERT INTO table SELECT',
    'RENAME TABLE a TO b': 'INSERT INTO … SELECT',
    'TRUNCATE TABLE t': 'docs/schema-changes.md',
  };
  for (const [statement, advice] of Object.entries(rejected)) {
    it(`must not contain: ${statement}`, () => {
      const failure = failureOf({ '001_a.after.sql': `-- why\n${statement};` });
      expect(failure).to.include(`Migration 001_a.after.sql, "${statement}": `).and.include(advice);
    });
  }

  it('can drop only in .after.sql files, which run after the generated views were replaced', () => {
    for (const drop of ['DROP TABLE IF EXISTS t', 'ALTER TABLE t DROP COLUMN IF EXISTS a']) {
      expect(failureOf({ '001_a.sql': drop })).to.include('.after.sql');
      expect(failureOf({ '001_a.after.sql': drop })).to.equal('none');
    }
  });

  it('may have commas in one change', () => {
    const sql = `
      ALTER TABLE t ADD COLUMN IF NOT EXISTS a Enum8('x, DROP COLUMN y' = 1, 'z' = 2) CODEC(Delta, ZSTD(1));
      ALTER TABLE t MODIFY SETTING a = 1, b = 2;
      ALTER TABLE t MODIFY TTL a + INTERVAL 1 DAY, b + INTERVAL 2 DAY;
      INSERT INTO t (a, b)
      SELECT a, b FROM u;`;
    expect(failureOf({ '001_a.sql': sql })).to.equal('none');
  });

  it('must have a unique number', () => {
    const sql = 'DROP VIEW IF EXISTS v';
    expect(failureOf({ '001_a.after.sql': sql, '001_c.after.sql': sql })).to.include(
      'Migration 001_c.after.sql must have a unique number',
    );
    expect(failureOf({ '1_a.after.sql': sql })).to.include('must be named NNN_name.sql');
    expect(failureOf({ '001_a.after.sql': sql, '003_c.after.sql': sql })).to.equal('none');
  });
});

function failureOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'netpanel-migrations-'));
  try {
    for (const [name, sql] of Object.entries(files)) writeFileSync(join(folder, name), sql);
    readMigrations(folder);
    return 'none';
  } catch (error) {
    return (error as Error).message;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
