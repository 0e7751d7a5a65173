import { expect } from 'chai';
import { organisationSettings } from '../../../services/query/execution/organisation-settings.ts';
import { migrateClickHouse } from '../../../services/schema/clickhouse/migrate-clickhouse.ts';
import { newDataDir, quietClient } from '../../support/local-clickhouse.ts';
import { migrateUser, startAsRole } from '../../support/role-server.ts';
import { requireNativeEngine, useRole } from '../../support/use-role.ts';

// As in roles.test.ts: the role's SQL is translated to a users.xml, which the native engine enforces.

const organisations = 10;
const rowsPerOrganisation = 20_000;
/** By organisation. */
const agentKeys: Readonly<Record<number, number>> = { 1: 1_000_001, 2: 1_000_002 };
const accessDenied = 497;
const unknownCluster = 701;

describe('the row policy of query.sql on a real engine', () => {
  requireNativeEngine();
  const dataDir = newDataDir();
  /** Every table and view with rows of organisations, also those of later migrations. */
  let tables: readonly string[];

  before(async () => {
    const server = await startAsRole(dataDir, 'migrate');
    const client = quietClient(server.url);
    const rows = async <Row>(query: string) =>
      (await client.query({ query, format: 'JSONEachRow' })).json<Row>();
    try {
      await migrateClickHouse({
        clickhouseUrl: server.url,
        clickhouseDatabase: 'netpanel',
        clickhouseUser: migrateUser,
        clickhousePassword: '',
      });
      const found = await rows<{ name: string; engine: string }>(
        `SELECT name, engine FROM system.tables WHERE database = 'netpanel' AND name IN
          (SELECT table FROM system.columns WHERE database = 'netpanel' AND name = 'organisation_id')`,
      );
      // Readiness reads the newest publication of all organisations: query.sql says why.
      tables = found
        .map(({ name }) => name)
        .filter((name) => !/^agent_metadata_(change_)?publication$/.test(name));
      for (const { name, engine } of found) {
        if (!engine.endsWith('MergeTree')) continue;
        await client.command({
          query: `INSERT INTO netpanel.${name} (organisation_id) VALUES (1), (2)`,
        });
      }
      await client.insert({
        table: 'netpanel.agent_metadata_period',
        values: [1, 2].map((id) => ({
          publication: 1,
          organisation_id: id,
          agent_key: agentKeys[id],
          valid_to: '2106-02-07 06:28:15',
          agent_id: `box-${id}`,
          mac_address: `00:00:00:00:00:0${id}`,
          isp: `ISP ${id}`,
          timezone: 'Asia/Kathmandu',
          custom: { tier: `secret-${id}` },
        })),
        format: 'JSONEachRow',
      });
      await client.command({
        query: `INSERT INTO netpanel.agent_metadata_publication (organisation_id, publication) VALUES (1, 1), (2, 1)`,
      });
      await client.insert({
        table: 'netpanel.test_dns',
        values: [1, 2].map((id) => ({
          organisation_id: id,
          agent_key: agentKeys[id],
          dtime: '2026-11-01 12:00:00',
        })),
        format: 'JSONEachRow',
      });
      for (const dictionary of ['agent_metadata', 'agent_metadata_changes', 'custom_value']) {
        await client.command({ query: `SYSTEM RELOAD DICTIONARY netpanel.${dictionary}` });
      }
      await client.command({
        query: `INSERT INTO netpanel.test_httpget (organisation_id, agent_key, dtime, bytes_sec)
          SELECT number % ${organisations} + 1, number, toDateTime('2026-11-01 00:00:00', 'UTC'), 1
          FROM numbers(${organisations * rowsPerOrganisation})`,
      });
    } finally {
      await client.close();
      await server.stop();
    }
  });

  describe('with the grants of the role', () => {
    const role = useRole(dataDir, 'query');

    it('shows no row of any table to a query without an organisation', async () => {
      for (const table of await readableTables()) {
        for (const settings of [{}, { log_comment: 'organisation 1' }, { log_comment: '{}' }]) {
          expect(await visible(table, '1', settings), table).to.deep.equal([]);
        }
      }
    });

    it('shows the rows of the organisation of the query only, whatever its WHERE says', async () => {
      for (const table of await readableTables()) {
        const settings = organisationSettings(1, 'POST /metric_data');
        expect(await visible(table, '1', settings), table).to.deep.equal([1]);
        expect(await visible(table, 'organisation_id = 2', settings), table).to.deep.equal([]);
        expect(await visible(table, 'organisation_id = 2 OR 1', settings), table).to.deep.equal([
          1,
        ]);
      }
    });

    it('lets ClickHouse use the primary key: a query reads the rows of its organisation', async () => {
      const estimate = 'EXPLAIN ESTIMATE SELECT sum(bytes_sec) FROM netpanel.test_httpget';
      for (const where of ['', 'WHERE organisation_id = 3']) {
        const [read] = await role.rows<{ rows: number }>(
          `${estimate} ${where}`,
          organisationSettings(3),
        );
        // Whole granules of 8,192 rows; without the primary key it would be all 200,000.
        expect(read?.rows, where).to.be.within(rowsPerOrganisation, 3 * rowsPerOrganisation);
      }
    });

    it('shows the metadata of the organisation of the query in the views', async () => {
      const own = organisationSettings(1);
      const found = (columns: string, settings = {}) =>
        role.rows(`SELECT ${columns} FROM netpanel.results_dns WHERE isp != ''`, {
          ...own,
          ...settings,
        });
      const ofOrganisation1 = { isp: 'ISP 1', custom: { tier: 'secret-1' } };
      for (const enable_analyzer of [1, 0]) {
        expect(await found('isp, custom', { enable_analyzer })).to.deep.equal([ofOrganisation1]);
      }
      expect(await found('toString(local_time) AS at')).to.deep.equal([
        { at: '2026-11-01 17:45:00' },
      ]);
      const tier =
        "dictGet('netpanel.custom_value', 'value', sipHash64(custom_hash, 'tier')) AS tier";
      expect(await found(tier)).to.deep.equal([{ tier: 'secret-1' }]);
      const ids = `SELECT isp, dictGet('netpanel.custom_value', 'value', custom_ids['tier']) AS tier
        FROM netpanel.agent_metadata_ids WHERE isp != ''`;
      expect(await role.rows(ids, own)).to.deep.equal([{ isp: 'ISP 1', tier: 'secret-1' }]);
    });

    for (const dictionary of ['agent_metadata', 'agent_metadata_changes']) {
      it(`does not let the role reach the dictionary ${dictionary}, with and without an organisation`, async () => {
        const name = `'netpanel.${dictionary}'`;
        const at = `toUInt64(${agentKeys[2]}), now()`;
        for (const query of [
          `SELECT dictGet(${name}, 'mac_address', ${at})`,
          `SELECT dictGet(${name}, ('isp', 'custom_json'), ${at})`,
          `SELECT dictGetOrNull(${name}, 'isp', ${at})`,
          `SELECT dictGetOrDefault(${name}, 'isp', ${at}, NULL)`,
          `SELECT dictGetString(${name}, 'agent_id', ${at})`,
          `SELECT dictHas(${name}, ${at})`,
          `SELECT * FROM dictionary(${name})`,
          `SELECT * FROM netpanel.${dictionary}`,
          `SELECT * FROM numbers(5) AS n ANY LEFT JOIN netpanel.${dictionary} AS d ON n.number = d.agent_key`,
        ]) {
          for (const settings of [{}, organisationSettings(1), organisationSettings(2)]) {
            await role.expectError(accessDenied, query, settings);
          }
        }
        const listed = `SELECT count() AS n FROM system.dictionaries WHERE name = '${dictionary}'`;
        expect(await role.rows(listed)).to.deep.equal([{ n: 0 }]);
      });
    }

    it('shows nothing of another organisation through joins, merge(), view() and functions', async () => {
      const other = 'organisation_id = 2';
      for (const from of [
        `netpanel.results_dns WHERE ${other}`,
        `netpanel.results_dns WHERE ${other} SETTINGS enable_analyzer = 0`,
        `numbers(${agentKeys[1]}, 5) AS n JOIN netpanel.results_dns AS r ON n.number = r.agent_key WHERE ${other}`,
        `netpanel.test_dns AS t JOIN netpanel.results_dns AS r ON r.agent_key = ${agentKeys[2]}`,
        `view(SELECT * FROM netpanel.results_dns) WHERE ${other}`,
        `merge('netpanel', '^(test|results)_dns$') WHERE ${other}`,
        `merge('netpanel', '^agent_metadata_(ids|current|period|known_at)$') WHERE ${other}`,
        `netpanel.agent_metadata_ids WHERE isp = 'ISP 2' OR has(mapValues(custom), 'secret-2')`,
      ]) {
        for (const settings of [{}, organisationSettings(1)]) {
          const counted = await role.rows(`SELECT count() AS n FROM ${from}`, settings);
          expect(counted, from).to.deep.equal([{ n: 0 }]);
        }
      }
      // A function with an effect must not see the rows that the policy hides.
      const thrown = `SELECT count() AS n FROM netpanel.results_dns WHERE isp != '' AND NOT throwIf(isp = 'ISP 2')`;
      expect(await role.rows(thrown, organisationSettings(1))).to.deep.equal([{ n: 1 }]);
    });

    it('does not let the role list custom values, or find them by guessing', async () => {
      const name = "'netpanel.custom_value'";
      for (const query of [
        `SELECT * FROM dictionary(${name})`,
        'SELECT * FROM netpanel.custom_value',
        `SELECT * FROM numbers(5) AS n ANY LEFT JOIN netpanel.custom_value AS d ON n.number = d.id`,
        'SELECT * FROM netpanel.published_custom',
        'SELECT * FROM netpanel.custom_hash_key',
        'SELECT * FROM netpanel.custom_hash_key_in_use',
      ]) {
        await role.expectError(accessDenied, query, organisationSettings(1));
      }
      for (const guess of [
        "sipHash64(0::UInt8, 'secret-2')",
        "sipHash64(toUInt32(2), 0::UInt8, 'secret-2')",
        `sipHash64(sipHash64(toUInt32(2), '{"tier":"secret-2"}', emptyArrayString()), 'tier')`,
      ]) {
        const found = `SELECT dictHas(${name}, ${guess}) AS found`;
        expect(await role.rows(found, organisationSettings(1))).to.deep.equal([{ found: 0 }]);
      }
    });

    it('does not let the role open files and other servers, or see definitions with secrets', async () => {
      for (const source of [
        "url('http://127.0.0.1:1', 'CSV', 'a String')",
        "file('/etc/passwd', 'LineAsString')",
        "remote('127.0.0.1', 'netpanel', 'agent_metadata_period')",
        "cluster('default', 'netpanel', 'agent_metadata_period')",
        "s3('http://127.0.0.1:1/bucket/key', 'CSV', 'x UInt8')",
      ]) {
        await role.expectError(
          [accessDenied, unknownCluster],
          `SELECT * FROM ${source}`,
          organisationSettings(1),
        );
      }
      const hidden = `SELECT count() AS n FROM system.tables WHERE database = 'netpanel'
        AND name IN ('custom_hash_key', 'published_custom', 'agent_metadata', 'agent_metadata_changes')`;
      expect(await role.rows(hidden)).to.deep.equal([{ n: 0 }]);
    });

    /** Those that the role may read: the results, their last rows, the metadata and the filter values. */
    async function readableTables(): Promise<readonly string[]> {
      const checked = await Promise.all(
        tables.map(async (table) => {
          const failure = await role
            .rows(`SELECT 1 FROM netpanel.${table} LIMIT 0`)
            .then(() => undefined)
            .catch((error: unknown) => (error as { code: string }).code);
          expect(failure, table).to.be.oneOf([undefined, '497']);
          return { table, isReadable: failure === undefined };
        }),
      );
      const readable = checked.filter(({ isReadable }) => isReadable).map(({ table }) => table);
      expect(readable).to.include.members(['test_dns', 'last_rows_httpget', 'filter_values']);
      expect(readable).to.include.members(['agent_metadata_period', 'agent_metadata_ids']);
      expect(readable).to.include('results_dns');
      return readable;
    }

    /** Without organisation 0, whose data versions count for all organisations. */
    async function visible(table: string, where: string, settings: object): Promise<unknown> {
      const query = `SELECT arraySort(groupUniqArray(organisation_id)) AS ids
        FROM netpanel.${table} WHERE organisation_id != 0 AND (${where})`;
      return (await role.rows<{ ids: unknown }>(query, settings))[0]?.ids;
    }
  });
});
