import { expect } from 'chai';
import { migrateClickHouse } from '../../../services/schema/clickhouse/migrate-clickhouse.ts';
import { newDataDir } from '../../support/local-clickhouse.ts';
import { startWithUsers } from '../../support/role-server.ts';
import { requireNativeEngine, useRole } from '../../support/use-role.ts';
import { parseRole, usersXml } from '../../support/users-xml.ts';

// What the roles must not do. See roles.test.ts for how they are tested.

describe('the limits of the ClickHouse roles on a real engine', () => {
  requireNativeEngine();
  const dataDir = newDataDir();

  describe('migrate.sql', () => {
    const role = useRole(dataDir, 'migrate');
    before(() => migrateClickHouse(role.settings()));

    it('has no access outside of the database netpanel', async () => {
      await role.expectError(497, 'CREATE DATABASE other');
      await role.expectError(497, 'CREATE TABLE default.other (x UInt8) ENGINE = Memory');
      await role.expectError(497, 'DROP DATABASE netpanel');
      await role.expectError(497, "SELECT * FROM url('http://127.0.0.1:1/', 'CSV', 'x UInt8')");
    });
  });

  describe('load.sql', () => {
    const role = useRole(dataDir, 'load');

    it('cannot read metadata and the audit', async () => {
      for (const table of [
        'last_rows_httpget',
        'filter_values',
        'agent_metadata_period',
        'query_audit',
      ]) {
        await role.expectError(497, `SELECT count() FROM netpanel.${table}`);
      }
    });

    it('cannot change tables and limits', async () => {
      await role.expectError(497, 'DROP TABLE netpanel.test_httpget');
      await role.expectError(497, 'ALTER TABLE netpanel.test_httpget DELETE WHERE 1');
      await role.expectError(452, 'SELECT 1', { max_memory_usage: '17179869185' });
    });
  });

  describe('metadata.sql', () => {
    const role = useRole(dataDir, 'metadata');

    it('cannot read results and who sent requests', async () => {
      await role.expectError(497, 'SELECT bytes_sec FROM netpanel.test_httpget');
      await role.expectError(497, 'SELECT agent_id FROM netpanel.last_rows_httpget');
      await role.expectError(497, 'SELECT token_id FROM netpanel.query_audit');
      await role.expectError(497, 'SELECT count() FROM netpanel.filter_values');
    });

    it('can write only metadata, remove old data, and change only the request of the audit', async () => {
      await role.expectError(
        497,
        'ALTER TABLE netpanel.query_audit UPDATE status = 1 WHERE organisation_id = 0',
      );
      await role.expectError(497, 'INSERT INTO netpanel.test_dns (organisation_id) SELECT 1');
      await role.expectError(497, 'DROP TABLE netpanel.agent_metadata_period');
      await role.expectError(497, 'DROP TABLE netpanel.test_dns');
      await role.expectError(497, 'ALTER TABLE netpanel.test_dns UPDATE target = 1 WHERE 1');
      await role.expectError(497, 'ALTER TABLE netpanel.filter_values DELETE WHERE 1');
      await role.expectError(497, 'INSERT INTO netpanel.query_audit (route) SELECT 1');
      await role.expectError(497, 'DROP DICTIONARY netpanel.agent_metadata');
    });
  });

  describe('query.sql', () => {
    const role = useRole(dataDir, 'query');

    it('cannot create, change and delete anything', async () => {
      await role.expectError(497, 'CREATE TABLE netpanel.mine (x UInt8) ENGINE = Memory');
      await role.expectError(497, 'CREATE TEMPORARY TABLE mine (x UInt8)');
      await role.expectError(497, 'DROP TABLE netpanel.test_dns');
      await role.expectError(497, 'TRUNCATE TABLE netpanel.test_dns');
      await role.expectError(497, 'ALTER TABLE netpanel.test_dns DELETE WHERE 1');
      await role.expectError(497, 'INSERT INTO netpanel.test_dns (organisation_id) SELECT 1');
      await role.expectError(497, 'INSERT INTO netpanel.filter_values (organisation_id) SELECT 1');
      await role.expectError(497, 'SYSTEM RELOAD DICTIONARY netpanel.agent_metadata');
    });

    it('cannot read the audit and other tables that it does not need', async () => {
      await role.expectError(497, 'SELECT count() FROM netpanel.query_audit');
      await role.expectError(497, 'SELECT count() FROM netpanel.schema_migrations');
      await role.expectError(497, 'SELECT count() FROM netpanel.loaded_blocks');
      await role.expectError(497, "SELECT count() FROM dictionary('netpanel.agent_metadata')");
      for (const table of ['users', 'roles', 'grants', 'quotas', 'settings_profiles']) {
        await role.expectError(497, `SELECT count() FROM system.${table}`);
      }
      const tables = "SELECT count() AS n FROM system.tables WHERE name = 'query_audit'";
      expect(await role.rows(tables)).to.deep.equal([{ n: 1 }]);
      const hidden = "SELECT count() AS n FROM system.tables WHERE name = 'schema_migrations'";
      expect(await role.rows(hidden)).to.deep.equal([{ n: 0 }]);
    });

    it('cannot access files and other servers', async () => {
      for (const source of [
        "url('http://127.0.0.1:1/', 'CSV', 'x UInt8')",
        "file('/etc/passwd', 'LineAsString')",
        "remote('127.0.0.1', 'netpanel', 'query_audit')",
        "remoteSecure('127.0.0.1', 'netpanel', 'query_audit')",
        "s3('http://127.0.0.1:1/bucket/key', 'CSV', 'x UInt8')",
        "mysql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
        "postgresql('127.0.0.1:1', 'a', 'b', 'c', 'd')",
        "executable('id', 'CSV', 'x String')",
      ]) {
        await role.expectError(497, `SELECT * FROM ${source}`);
      }
    });

    for (const [setting, most] of Object.entries({
      max_execution_time: 3600,
      max_memory_usage: 17_179_869_184,
      max_rows_to_read: 100_000_000_000,
      max_result_rows: 5_000_000_000,
      max_threads: 64,
    })) {
      it(`can set ${setting} to at most ${most}`, async () => {
        await role.rows('SELECT 1', { [setting]: String(most) });
        await role.expectError(452, 'SELECT 1', { [setting]: String(most + 1) });
        // 0 means unlimited.
        if (setting !== 'max_threads') await role.expectError(452, 'SELECT 1', { [setting]: '0' });
      });
    }

    for (const [setting, value] of Object.entries({
      allow_introspection_functions: '1',
      max_concurrent_queries_for_user: '1000',
      timeout_overflow_mode: 'break',
      read_overflow_mode: 'break',
      result_overflow_mode: 'break',
      skip_unavailable_shards: '1',
    })) {
      it(`cannot change ${setting}`, () => role.expectError(452, 'SELECT 1', { [setting]: value }));
    }

    it('cannot change allow_ddl', () => role.expectError(392, 'SELECT 1', { allow_ddl: '1' }));

    it('has a default row limit for queries without one', async () => {
      await role.expectError(396, 'SELECT number FROM numbers(5000001)', {
        wait_end_of_query: 1,
      });
    });
  });

  describe('a quota', () => {
    it('of a role rejects queries that exceed it', async () => {
      const sql = `CREATE ROLE IF NOT EXISTS some; GRANT SELECT ON netpanel.* TO some;
        CREATE QUOTA IF NOT EXISTS q FOR INTERVAL 1 hour MAX queries = 1000, read_rows = 10 TO some;`;
      const server = await startWithUsers(dataDir, usersXml({ default: parseRole(sql) }));
      try {
        const response = await fetch(server.url, {
          method: 'POST',
          body: 'SELECT count() FROM numbers(1000)',
        });
        expect(await response.text()).to.match(/^Code: 201\..*read_rows = 1000\/10/);
      } finally {
        await server.stop();
      }
    });
  });
});
