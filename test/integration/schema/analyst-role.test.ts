import { expect } from 'chai';
import { compileMetricQuery } from '../../../services/query/compiler/compile-metric-query.ts';
import { migrateClickHouse } from '../../../services/schema/clickhouse/migrate-clickhouse.ts';
import { printInlined } from '../../../services/shared/sql/print-query.ts';
import { newDataDir, quietClient } from '../../support/local-clickhouse.ts';
import { metricQuery, parseContext } from '../../support/metric-request.ts';
import { migrateUser, startAsRole, startWithUsers } from '../../support/role-server.ts';
import { requireNativeEngine, useRole } from '../../support/use-role.ts';
import { readRole, usersXml } from '../../support/users-xml.ts';

// As in roles.test.ts: the role's SQL is translated to a users.xml, which the native engine enforces.

const accessDenied = 497;

describe('the role analyst.sql on a real engine', () => {
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
    const insert = (table: string, row: (organisation_id: number) => object) =>
      client.insert({
        table: `netpanel.${table}`,
        values: [1, 2].map((id) => ({ organisation_id: id, ...row(id) })),
        format: 'JSONEachRow',
      });
    await insert('test_httpget', (id) => ({
      agent_key: id,
      dtime: '2026-11-01 12:00:00',
      bytes_sec: 12_500_000 * id,
      successes: 1,
    }));
    await insert('agent_metadata_period', (id) => ({
      publication: 1,
      agent_key: id,
      valid_to: '2106-02-07 06:28:15',
      agent_id: `box-${id}`,
      mac_address: `00:00:00:00:00:0${id}`,
      isp: `ISP ${id}`,
      timezone: 'Asia/Kathmandu',
      custom: { tier: `gold-${id}` },
    }));
    await insert('agent_metadata_publication', () => ({ publication: 1, row_count: 1 }));
    await insert('agent_set_copy', (id) => ({ name: `set-${id}`, member_count: 1 }));
    await insert('agent_set_member', (id) => ({ agent_key: id }));
    for (const dictionary of ['agent_metadata', 'agent_metadata_changes', 'custom_value']) {
      await client.command({ query: `SYSTEM RELOAD DICTIONARY netpanel.${dictionary}` });
    }
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

    it('sees the metadata of its own households in the views, without access to a dictionary', async () => {
      const metadata = 'isp, custom, toString(local_time) AS local_time';
      const own = { isp: 'ISP 1', custom: { tier: 'gold-1' }, local_time: '2026-11-01 17:45:00' };
      for (const view of ['metric_httpget', 'results_httpget']) {
        expect(await rows(`SELECT ${metadata} FROM netpanel.${view}`), view).to.deep.equal([own]);
      }
      const sets = 'SELECT name, agent_key FROM netpanel.agent_set_agents';
      expect(await rows(sets)).to.deep.equal([{ name: 'set-1', agent_key: 1 }]);
    });

    it('runs the SQL of /metric_data/explain', async () => {
      const context = { ...parseContext, organisationId: 1 };
      for (const report of [{}, { household: { statistic: 'mean' }, switchers: 'longest' }]) {
        const time = { from: '2026-11-01 00:00:00', to: '2026-11-30 23:59:59' };
        const query = metricQuery({ splits: ['isp'], time, ...report }, context);
        const [point] = await rows(printInlined(compileMetricQuery(query).query, 'netpanel'));
        expect(point).to.include({ isp: 'ISP 1', metricValue: 100, dtime: '2026-11-01' });
      }
    });

    it('sees no other organisation through joins, subqueries, merge() and view()', async () => {
      const other = 'organisation_id = 2';
      for (const from of [
        `netpanel.metric_httpget WHERE ${other}`,
        `netpanel.results_httpget WHERE ${other} SETTINGS enable_analyzer = 0`,
        `numbers(1, 5) AS n JOIN netpanel.metric_httpget AS m ON n.number = m.agent_key WHERE ${other}`,
        `(SELECT * FROM netpanel.results_httpget) WHERE ${other}`,
        `view(SELECT * FROM netpanel.metric_httpget) WHERE ${other}`,
        `merge('netpanel', '^(test|last_rows|results|metric)_httpget$') WHERE ${other}`,
        `merge('netpanel', '^agent_set_(member|copy|agents|current)$') WHERE ${other}`,
      ]) {
        expect(await rows(`SELECT count() AS n FROM ${from}`), from).to.deep.equal([{ n: 0 }]);
      }
      // A function with an effect must not see the rows that the policy hides.
      const thrown = `SELECT count() AS n FROM netpanel.metric_httpget WHERE NOT throwIf(${other})`;
      expect(await rows(thrown)).to.deep.equal([{ n: 1 }]);
    });

    for (const { dictionary, key, attribute, other, at } of [
      {
        dictionary: 'agent_metadata',
        key: 'agent_key',
        attribute: 'mac_address',
        other: 'isp',
        at: ', now()',
      },
      {
        dictionary: 'agent_metadata_changes',
        key: 'agent_key',
        attribute: 'isp',
        other: 'custom_json',
        at: ', now()',
      },
      { dictionary: 'custom_value', key: 'id', attribute: 'value', other: 'is_number', at: '' },
      {
        dictionary: 'timezone_span',
        key: 'id',
        attribute: 'utc_offset_s',
        other: 'first_change_s',
        at: '',
      },
    ]) {
      it(`cannot reach the dictionary ${dictionary}`, async () => {
        const name = `'netpanel.${dictionary}'`;
        for (const call of [
          `dictGet(${name}, '${attribute}', number${at})`,
          `dictGet(${name}, ('${attribute}', '${other}'), number${at})`,
          `dictGetOrNull(${name}, '${attribute}', number${at})`,
          `dictGetOrDefault(${name}, '${attribute}', number${at}, NULL)`,
          `dictHas(${name}, number${at})`,
        ]) {
          await expectError(accessDenied, `SELECT ${call} FROM numbers(1, 5)`);
        }
        for (const from of [
          `dictionary(${name})`,
          `netpanel.${dictionary}`,
          `numbers(5) AS n ANY LEFT JOIN netpanel.${dictionary} AS d ON n.number = d.${key}`,
        ]) {
          await expectError(accessDenied, `SELECT * FROM ${from}`);
        }
        const listed = `SELECT count() AS n FROM system.dictionaries WHERE name = '${dictionary}'`;
        expect(await rows(listed)).to.deep.equal([{ n: 0 }]);
      });
    }

    it('cannot change data, read other tables, files and servers, or exceed its limits', async () => {
      await expectError([164, 497], 'INSERT INTO netpanel.test_dns (organisation_id) VALUES (1)');
      for (const table of [
        'query_audit',
        'filter_values',
        'stored_answers',
        'published_custom',
        'agent_metadata_change',
        'agent_metadata_period',
        'agent_metadata_current',
        'agent_metadata_base',
        'agent_metadata_known_at',
      ]) {
        await expectError(accessDenied, `SELECT * FROM netpanel.${table}`);
      }
      await expectError(452, 'SELECT 1 SETTINGS max_execution_time = 601');
      for (const source of [
        "url('http://127.0.0.1:1', 'CSV', 'a String')",
        "file('/etc/passwd', 'LineAsString')",
        "remote('127.0.0.1', 'netpanel', 'agent_metadata_period')",
        "s3('http://127.0.0.1:1/bucket/key', 'CSV', 'x UInt8')",
        "executable('id', 'CSV', 'x String')",
      ]) {
        await expectError([164, accessDenied], `SELECT * FROM ${source}`);
      }
      await expectError([164, accessDenied], 'CREATE TEMPORARY TABLE mine (x UInt8)');
    });

    it('sees no other tables, columns and definitions in the system tables', async () => {
      const hidden = `SELECT count() AS n FROM system.tables WHERE database = 'netpanel'
        AND NOT match(name, '^(test|last_rows|results|metric|agent_set)_')`;
      expect(await rows(hidden)).to.deep.equal([{ n: 0 }]);
      for (const table of ['users', 'roles', 'row_policies', 'quotas', 'settings_profiles']) {
        await expectError(accessDenied, `SELECT * FROM system.${table}`);
      }
    });
  });

  describe('without a row policy of an organisation', () => {
    const { rows } = useRole(dataDir, () => startAnalyst());

    it('sees no rows', async () => {
      for (const table of [
        'metric_httpget',
        'results_httpget',
        'test_httpget',
        'agent_set_agents',
      ]) {
        const count = `SELECT count() AS n FROM netpanel.${table}`;
        expect(await rows(count), table).to.deep.equal([{ n: 0 }]);
      }
    });
  });

  function startAnalyst(...filters: readonly string[]) {
    const analyst = readRole('analyst');
    const own = filters.map((filter) => ({ tables: '*', filter }) as const);
    const role = { ...analyst, policies: [...analyst.policies, ...own] };
    return startWithUsers(dataDir, usersXml({ default: role, [migrateUser]: readRole('migrate') }));
  }
});
