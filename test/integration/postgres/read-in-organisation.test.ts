import { expect } from 'chai';
import { serviceDatabaseUrl } from '../../../deploy/local/service-database-url.ts';
import {
  agentMetadataReader,
  readAgentMetadata,
} from '../../../services/metadata/agents/agent-metadata.ts';
import { lookupValues } from '../../../services/metadata/agents/wanted-agents.ts';
import {
  connectPostgres,
  type Database,
} from '../../../services/shared/postgres/connect-postgres.ts';
import {
  type BoundStatement,
  readInOrganisation,
} from '../../../services/shared/postgres/read-in-organisation.ts';
import { isolatedStores, type IsolatedStores } from '../../support/isolated-stores.ts';
import { startTcpProxy } from '../../support/tcp-proxy.ts';
import { addAgent, newTenant } from '../../support/tenant.ts';
import { waitUntil } from '../../support/wait-until.ts';

const agentIds: BoundStatement = {
  name: 'agent ids',
  sql: 'select agent_id from agents order by agent_id',
  bindings: {},
};

describe('reading rows of an organisation in one round trip', () => {
  let stores: IsolatedStores;
  let own: number;
  let other: number;
  /** One connection, as the role of the metadata service. */
  let database: Database;

  before(async () => {
    stores = await isolatedStores();
    ({ organisationId: own } = await newTenant(stores.database));
    ({ organisationId: other } = await newTenant(stores.database));
    await addAgent(stores.database, own, { agentId: 'own-1', unitId: 1 });
    await addAgent(stores.database, own, { agentId: 'own-2', unitId: 2 });
    await addAgent(stores.database, other, { agentId: 'other-1', unitId: 1 });
    const url = serviceDatabaseUrl('metadata', stores.env.DATABASE_URL!);
    database = connectPostgres(url, 1, 'read-in-organisation-test');
  });

  after(async () => {
    await database.destroy();
    await stores.close();
  });

  it('returns the rows of the organisation to a statement without a condition', async () => {
    expect(await readInOrganisation(database, own, [agentIds])).to.deep.equal([
      [{ agent_id: 'own-1' }, { agent_id: 'own-2' }],
    ]);
    expect(await readInOrganisation(database, other, [agentIds])).to.deep.equal([
      [{ agent_id: 'other-1' }],
    ]);
  });

  it('leaves no organisation on the connection', async () => {
    await readInOrganisation(database, own, [agentIds]);
    expect(await database('agents').select('agent_id')).to.deep.equal([]);
    const { rows } = await database.raw<{ rows: { organisation: string }[] }>(
      "select current_setting('netpanel.organisation', true) as organisation",
    );
    expect(rows).to.deep.equal([{ organisation: '' }]);
  });

  it('runs several statements in one transaction, with values of every type', async () => {
    const at = new Date('2026-11-16T12:00:00.000Z');
    const [transactions, again, values] = await readInOrganisation<
      [{ id: string }, { id: string }, Record<string, unknown>]
    >(database, own, [
      { name: 'first', sql: 'select pg_current_xact_id()::text as id', bindings: {} },
      { name: 'second', sql: 'select pg_current_xact_id()::text as id', bindings: {} },
      {
        name: 'values',
        sql: `select cast(:text as text) as text, cast(:number as bigint) as number,
                cast(:at as timestamptz) as at, cast(:none as text) as none, '{"a": [1]}'::jsonb as json`,
        bindings: { text: "it's", number: 7, at, none: null },
      },
    ]);
    expect(again).to.deep.equal(transactions);
    expect(values).to.deep.equal([{ text: "it's", number: 7, at, none: null, json: { a: [1] } }]);
  });

  it('works again after a statement that failed, on the same connection', async () => {
    const failing = (divisor: number): BoundStatement => ({
      name: 'division',
      sql: 'select 1 / cast(:divisor as integer) as result',
      bindings: { divisor },
    });
    const failed = await readInOrganisation(database, own, [failing(0)]).then(() => 'ran', String);
    expect(failed).to.contain('division by zero');
    expect(await readInOrganisation(database, own, [failing(1)])).to.deep.equal([[{ result: 1 }]]);
    const unknown = { name: 'unknown', sql: 'select from no_such_table', bindings: {} };
    for (let attempt = 0; attempt < 2; attempt++) {
      const missing = await readInOrganisation(database, own, [unknown]).then(() => 'ran', String);
      expect(missing).to.contain('relation "no_such_table" does not exist');
    }
    expect(await readInOrganisation(database, other, [agentIds])).to.deep.equal([
      [{ agent_id: 'other-1' }],
    ]);
  });

  it('gives concurrent lookups of metadata their own agent, with few statements', async () => {
    const read = agentMetadataReader(database);
    await setTimezone(own, 1, 'Europe/London');
    await setTimezone(own, 2, 'Asia/Tokyo');
    await setTimezone(other, 1, 'Asia/Kathmandu');
    const units = Array.from({ length: 30 }, (_, i) => i + 1);
    const before = await statementCount();
    const [mine, theirs] = await Promise.all([
      Promise.all(units.map((unit) => zoneOf(own, unit))),
      Promise.all(units.map((unit) => zoneOf(other, unit))),
    ]);
    expect(mine).to.deep.equal(
      units.map((unit) => ({ 1: 'Europe/London', 2: 'Asia/Tokyo' })[unit]),
    );
    expect(theirs).to.deep.equal(units.map((unit) => (unit === 1 ? 'Asia/Kathmandu' : undefined)));
    // Per organisation: the first lookup, the second, and the rest together; two statements each.
    expect((await statementCount()) - before).to.be.at.most(2 * 3 * 2);

    async function zoneOf(organisationId: number, unit: number) {
      const lookup = { column: 'unit_id', value: String(unit) } as const;
      return (await read(organisationId, lookup)).metadata?.timezone;
    }
  });

  it('returns a change that was recorded before the lookup, while another lookup runs', async () => {
    const url = serviceDatabaseUrl('metadata', stores.env.DATABASE_URL!);
    const proxy = await startTcpProxy(url);
    const proxied = connectPostgres(proxy.url, 1, 'read-in-organisation-test');
    const read = agentMetadataReader(proxied);
    const zone = async () =>
      (await read(own, { column: 'unit_id', value: '1' })).metadata?.timezone;
    try {
      await setTimezone(own, 1, 'Europe/Paris');
      await zone();
      proxy.fault({ kind: 'hold', direction: 'to the service', afterBytes: 1 });
      const earlier = zone();
      // Postgres has responded, and the response is on its way.
      await waitUntil(() => proxy.struck === 1);
      await setTimezone(own, 1, 'Europe/Rome');
      const later = zone();
      proxy.heal();
      expect(await Promise.all([earlier, later])).to.deep.equal(['Europe/Paris', 'Europe/Rome']);
    } finally {
      await proxied.destroy();
      await proxy.stop();
    }
  });

  it('has an entry for every lookup, also for agents that do not exist', async () => {
    const keys = ['1', '999'].map((value) => lookupValues({ column: 'unit_id', value }));
    const wanted = { kind: 'unit_id', keys, at: new Date() } as const;
    const found = await readAgentMetadata(database, other, wanted);
    expect([...found.values()].map(({ metadata }) => metadata === undefined)).to.deep.equal([
      false,
      true,
    ]);
  });

  async function setTimezone(organisationId: number, unit: number, timezone: string) {
    const owner = stores.database;
    const agent = await owner('agents')
      .where({ organisation_id: organisationId, unit_id: unit })
      .first<{ id: number }>('id');
    await owner.raw(
      `with change as (
         insert into metadata_changes (organisation_id, request, agent_count)
         values (:organisationId, '{}', 1) returning id, recorded_at
       ), superseded as (
         update agent_metadata m set superseded_at = change.recorded_at, superseded_by = change.id
         from change where m.agent_key = :agent and m.superseded_at is null returning m.id
       )
       insert into agent_metadata
         (agent_key, organisation_id, valid, timezone, recorded_at, recorded_by)
       select :agent, :organisationId, '(,)', :timezone, recorded_at, id from change
       where (select count(*) from superseded) >= 0`,
      { organisationId, agent: agent.id, timezone },
    );
  }

  /** Statements on the connection so far. */
  async function statementCount(): Promise<number> {
    const { rows } = await database.raw<{ rows: [{ count: number }] }>(
      `select coalesce(sum(generic_plans + custom_plans), 0)::bigint as count
       from pg_prepared_statements where name like 'agent metadata %' or name = 'metadata version'`,
    );
    return rows[0].count;
  }
});
