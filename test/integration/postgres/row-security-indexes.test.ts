import { expect } from 'chai';
import { serviceDatabaseUrl } from '../../../deploy/local/service-database-url.ts';
import { readAgentMetadata } from '../../../services/metadata/store/agent-metadata.ts';
import {
  connectPostgres,
  type Database,
} from '../../../services/shared/postgres/connect-postgres.ts';
import { inOrganisation } from '../../../services/shared/postgres/in-organisation.ts';
import { isolatedStores, type IsolatedStores } from '../../support/isolated-stores.ts';
import { newTenant } from '../../support/tenant.ts';

interface Statement {
  readonly sql: string;
  readonly bindings: readonly unknown[];
}

describe('lookups among 20,000 agents under row-level security', function () {
  this.timeout(120_000);
  let stores: IsolatedStores;
  let organisationId: number;

  before(async () => {
    stores = await isolatedStores();
    const { database } = stores;
    ({ organisationId } = await newTenant(database));
    await database.raw(
      `insert into agents (organisation_id, agent_id, unit_id, mac_address, kind)
       select ?, 'Site-' || number, number, '02:' || substr(md5(number::text), 1, 12), 'whitebox'
       from generate_series(1, 20000) as number`,
      [organisationId],
    );
    await database.raw('analyze agents');
  });

  after(() => stores.close());

  for (const [name, value] of [
    ['with its punctuation', 'Site-1234'],
    ['without punctuation', 'site1234'],
  ] as const) {
    it(`GET /metadata of an id ${name} uses an index`, async () => {
      const { result, plans } = await explained((database) =>
        inOrganisation(database, organisationId, (transaction) =>
          readAgentMetadata(transaction, organisationId, { column: 'agent_id', value }, new Date()),
        ),
      );
      expect(result).to.deep.equal({ package: null, isp: null, timezone: null, custom: {} });
      expect(plans).to.match(/Index Cond: .*agent_id_normalised = /);
      if (value === 'site1234') expect(plans).to.match(/Index Cond: .*agent_id_plain = /);
      expect(plans).not.to.match(/Seq Scan on agents/);
    });
  }

  /** The result of a lookup by the role of the metadata service, and the plans of its statements. */
  async function explained<T>(
    lookup: (database: Database) => Promise<T>,
  ): Promise<{ result: T; plans: string }> {
    const url = serviceDatabaseUrl('metadata', stores.env.DATABASE_URL!);
    const database = connectPostgres(url, 1, 'row-security-test');
    try {
      const sent: Statement[] = [];
      database.on('query', (statement: Statement) => sent.push(statement));
      const result = await lookup(database);
      const onAgents = sent.filter(({ sql }) => sql.includes('agents'));
      const plans = await inOrganisation(database, organisationId, async (transaction) => {
        const lines: string[] = [];
        for (const { sql, bindings } of onAgents) {
          // The bindings have their final order: numbered parameters are sent as they are.
          const { rows } = await transaction.raw<{ rows: { 'QUERY PLAN': string }[] }>(
            `explain ${sql.replace(/\$\d+/g, '?')}`,
            orderedBindings(sql, bindings) as string[],
          );
          lines.push(...rows.map((row) => row['QUERY PLAN']));
        }
        return lines.join('\n');
      });
      return { result, plans };
    } finally {
      await database.destroy();
    }
  }
});

/** One binding per `?`, in the order of the numbered parameters. */
function orderedBindings(sql: string, bindings: readonly unknown[]): readonly unknown[] {
  return [...sql.matchAll(/\$(\d+)/g)].map(([, number]) => bindings[Number(number) - 1]);
}
