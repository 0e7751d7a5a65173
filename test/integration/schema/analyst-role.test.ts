import type { ClickHouseClient } from '@clickhouse/client';
import { expect } from 'chai';
import { chooseEngine } from '../../../deploy/local/choose-engine.ts';
import type { LocalClickHouse } from '../../../deploy/local/start-clickhouse.ts';
import { migrateClickHouse } from '../../../services/schema/clickhouse/migrate-clickhouse.ts';
import { connectClickHouse } from '../../../services/shared/clickhouse/connect-clickhouse.ts';
import { newDataDir } from '../../support/local-clickhouse.ts';
import { migrateUser, startAsRole, startWithUsers } from '../../support/role-server.ts';
import { readRole, type Role, usersXml } from '../../support/users-xml.ts';

// As roles.test.ts: the role's SQL is translated to a users.xml, which the native engine enforces.

describe('the role analyst.sql on a real engine', function () {
  this.timeout(300_000);
  const dataDir = newDataDir();
  let server: LocalClickHouse | undefined;
  let client: ClickHouseClient;

  before(async function () {
    if ((await chooseEngine()).engine !== 'native') this.skip();
    await open(() => startAsRole(dataDir, 'migrate'));
    await migrateClickHouse(settings());
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
  });
  after(close);

  it('sees the results of one organisation, by views and by tables', async () => {
    await openAs(['organisation_id = 1']);
    expect(await rows('SELECT organisation_id, value FROM netpanel.metric_httpget')).to.deep.equal([
      { organisation_id: 1, value: 100 },
    ]);
    for (const table of ['results_httpget', 'test_httpget', 'last_rows_httpget']) {
      const counted = `SELECT groupArray(organisation_id) AS ids FROM netpanel.${table}`;
      expect(await rows(counted), table).to.deep.equal([{ ids: [1] }]);
    }
    expect(await rows('SELECT count() AS n FROM netpanel.results_dns')).to.deep.equal([{ n: 0 }]);
  });

  it('changes nothing, reads nothing else and stays within its limits', async () => {
    const other = 'INSERT INTO netpanel.test_dns (organisation_id) VALUES (1)';
    expect(await codeOf(other)).to.be.oneOf(['164', '497']);
    expect(await codeOf('SELECT * FROM netpanel.query_audit')).to.equal('497');
    expect(await codeOf('SELECT * FROM netpanel.agent_metadata_snapshot')).to.equal('497');
    expect(await codeOf('SELECT 1 SETTINGS max_execution_time = 601')).to.equal('452');
    expect(await codeOf("SELECT * FROM url('http://127.0.0.1:1', 'CSV', 'a String')")).to.be.oneOf([
      '164',
      '497',
    ]);
  });

  it('sees no row without a policy of an organisation', async () => {
    await openAs([]);
    expect(await rows('SELECT count() AS n FROM netpanel.metric_httpget')).to.deep.equal([
      { n: 0 },
    ]);
  });

  async function openAs(policies: readonly string[]): Promise<void> {
    const analyst = readRole('analyst');
    const role: Role = { ...analyst, policies: [...analyst.policies, ...policies] };
    const users = usersXml({ default: role, [migrateUser]: readRole('migrate') });
    await open(() => startWithUsers(dataDir, users));
  }

  async function open(start: () => Promise<LocalClickHouse>): Promise<void> {
    await close();
    server = await start();
    client = connectClickHouse({ ...settings(), clickhouseDatabase: 'default' }, 'analyst-test');
  }

  async function close(): Promise<void> {
    if (server === undefined) return;
    await client.close();
    await server.stop();
    server = undefined;
  }

  function settings() {
    return {
      clickhouseUrl: server?.url ?? '',
      clickhouseDatabase: 'netpanel',
      clickhouseUser: migrateUser,
      clickhousePassword: '',
    };
  }

  async function rows(query: string): Promise<unknown[]> {
    const result = await client.query({
      query,
      format: 'JSONEachRow',
      clickhouse_settings: { output_format_json_quote_64bit_integers: 0 },
    });
    return result.json();
  }

  function codeOf(query: string): Promise<string> {
    return client
      .exec({ query })
      .then(({ stream }) => stream.toArray())
      .then(() => 'allowed')
      .catch((error: unknown) => (error as { code: string }).code);
  }
});
