import { expect } from 'chai';
import { migrateClickHouse } from '../../../services/schema/clickhouse/migrate-clickhouse.ts';
import { newDataDir, quietClient } from '../../support/local-clickhouse.ts';
import { migrateUser, startAsRole, startWithUsers } from '../../support/role-server.ts';
import { requireNativeEngine, useRole } from '../../support/use-role.ts';
import { readRole, usersXml } from '../../support/users-xml.ts';

// As in roles.test.ts: the role's SQL is translated to a users.xml, which the native engine enforces.

describe('the role analyst.sql on a real engine', function () {
  this.timeout(300_000);
  requireNativeEngine();
  const dataDir = newDataDir();

  before(async () => {
    const server = await startAsRole(dataDir, 'migrate');
    await migrateClickHouse({
      clickhouseUrl: server.url,
      clickhouseDatabase: 'netpanel',
      clickhouseUser: migrateUser,
      clickhousePassword: '',
    });
    const client = quietClient(server.url);
    await client.insert({
      table: 'netpanel.test_httpget',
      values: [1, 2].map((organisation_id) => ({
        organisation_id,
        agent_key: organisation_id,
        dtime: '2026-11-01 12:00:00',
        bytes_sec: 12_500_000 * organisation_id,
        successes: 1,
      })),
      format: 'JSONEachRow',
    });
    await client.close();
    await server.stop();
  });

  describe('with a row policy of an organisation', () => {
    const { rows, expectError } = useRole(dataDir, () => startAnalyst('organisation_id = 1'));

    it('sees the results of one organisation, in views and in tables', async () => {
      const values = 'SELECT organisation_id, value FROM netpanel.metric_httpget';
      expect(await rows(values)).to.deep.equal([{ organisation_id: 1, value: 100 }]);
      for (const table of ['results_httpget', 'test_httpget', 'last_rows_httpget']) {
        const ids = `SELECT groupArray(organisation_id) AS ids FROM netpanel.${table}`;
        expect(await rows(ids), table).to.deep.equal([{ ids: [1] }]);
      }
      expect(await rows('SELECT count() AS n FROM netpanel.results_dns')).to.deep.equal([{ n: 0 }]);
    });

    it('cannot change data, read other tables or exceed its limits', async () => {
      await expectError([164, 497], 'INSERT INTO netpanel.test_dns (organisation_id) VALUES (1)');
      await expectError(497, 'SELECT * FROM netpanel.query_audit');
      await expectError(497, 'SELECT * FROM netpanel.agent_metadata_snapshot');
      await expectError(452, 'SELECT 1 SETTINGS max_execution_time = 601');
      await expectError([164, 497], "SELECT * FROM url('http://127.0.0.1:1', 'CSV', 'a String')");
    });
  });

  describe('without a row policy of an organisation', () => {
    const { rows } = useRole(dataDir, () => startAnalyst());

    it('sees no rows', async () => {
      const count = 'SELECT count() AS n FROM netpanel.metric_httpget';
      expect(await rows(count)).to.deep.equal([{ n: 0 }]);
    });
  });

  function startAnalyst(...filters: readonly string[]) {
    const analyst = readRole('analyst');
    const own = filters.map((filter) => ({ tables: '*', filter }) as const);
    const role = { ...analyst, policies: [...analyst.policies, ...own] };
    return startWithUsers(dataDir, usersXml({ default: role, [migrateUser]: readRole('migrate') }));
  }
});
