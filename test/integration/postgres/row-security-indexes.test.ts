import { expect } from 'chai';
import { serviceDatabaseUrl } from '../../../deploy/local/service-database-url.ts';
import {
  metadataStatement,
  readAgentMetadata,
} from '../../../services/metadata/agents/agent-metadata.ts';
import { lookupKind, lookupValues } from '../../../services/metadata/agents/wanted-agents.ts';
import {
  connectPostgres,
  type Database,
} from '../../../services/shared/postgres/connect-postgres.ts';
import { readInOrganisation } from '../../../services/shared/postgres/read-in-organisation.ts';
import { isolatedStores, type IsolatedStores } from '../../support/isolated-stores.ts';
import { newTenant } from '../../support/tenant.ts';

describe('lookups among 20,000 agents under row-level security', () => {
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
      const lookup = { column: 'agent_id', value } as const;
      const key = lookupValues(lookup);
      const wanted = { kind: lookupKind(lookup), keys: [key], at: new Date() };
      const found = await asService((database) =>
        readAgentMetadata(database, organisationId, wanted),
      );
      expect(found.get(key)?.metadata).to.deep.equal({
        package: null,
        isp: null,
        timezone: null,
        custom: {},
      });
      const { sql, bindings, ...rest } = metadataStatement(organisationId, wanted);
      const explain = { ...rest, name: 'explain', sql: `explain ${sql}`, bindings };
      const [lines] = await asService((database) =>
        readInOrganisation<[{ 'QUERY PLAN': string }]>(database, organisationId, [explain]),
      );
      const plan = lines.map((line) => line['QUERY PLAN']).join('\n');
      expect(plan).to.match(/Index Cond: .*agent_id_normalised = /);
      if (value === 'site1234') expect(plan).to.match(/Index Cond: .*agent_id_plain = /);
      expect(plan).not.to.match(/Seq Scan on agents/);
    });
  }

  async function asService<T>(work: (database: Database) => Promise<T>): Promise<T> {
    const url = serviceDatabaseUrl('metadata', stores.env.DATABASE_URL!);
    const database = connectPostgres(url, 1, 'row-security-test');
    try {
      return await work(database);
    } finally {
      await database.destroy();
    }
  }
});
