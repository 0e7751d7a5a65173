import { expect } from 'chai';
import { organisationSettings } from '../../../services/query/execution/organisation-settings.ts';
import { migrateClickHouse } from '../../../services/schema/clickhouse/migrate-clickhouse.ts';
import { newDataDir, quietClient } from '../../support/local-clickhouse.ts';
import { migrateUser, startAsRole } from '../../support/role-server.ts';
import { requireNativeEngine, useRole } from '../../support/use-role.ts';

// As in roles.test.ts: the role's SQL is translated to a users.xml, which the native engine enforces.

const organisations = 10;
const rowsPerOrganisation = 20_000;

describe('the row policy of query.sql on a real engine', function () {
  this.timeout(300_000);
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
      expect(readable).to.include('agent_metadata_snapshot');
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
