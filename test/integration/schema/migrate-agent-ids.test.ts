import { expect } from 'chai';
import {
  lookupKind,
  lookupValues,
  wantedAgents,
} from '../../../services/metadata/store/wanted-agents.ts';
import { listMergedAgentIds } from '../../../services/registry/merged-agent-ids.ts';
import * as tenants from '../../../services/schema/postgres/migrations/001-tenants.ts';
import * as agents from '../../../services/schema/postgres/migrations/002-agents.ts';
import * as history from '../../../services/schema/postgres/migrations/003-metadata-history.ts';
import * as bookkeeping from '../../../services/schema/postgres/migrations/004-bookkeeping.ts';
import * as snapshotDue from '../../../services/schema/postgres/migrations/005-snapshot-due.ts';
import * as agentIds from '../../../services/schema/postgres/migrations/006-agent-ids.ts';
import { plainIdColumns } from '../../../services/schema/postgres/migrations/016-row-security.ts';
import type { Database } from '../../../services/shared/postgres/connect-postgres.ts';
import { emptyIsolatedStores, type IsolatedStores } from '../../support/isolated-stores.ts';
import { addAgent } from '../../support/tenant.ts';

describe('the migration of agent ids from 0.1.0', () => {
  let stores: IsolatedStores;
  let organisationId: number;
  beforeEach(async () => {
    stores = await emptyIsolatedStores();
    for (const { up } of [tenants, agents, history, bookkeeping, snapshotDue]) {
      await up(stores.database);
    }
    organisationId = await addOrganisation(stores.database);
  });
  afterEach(() => stores.close());

  it('reports ids that changes used for an agent with another id', async () => {
    const { database } = stores;
    const merged = await addAgent(database, organisationId, { agentId: 'site1-11' });
    const box = await addAgent(database, organisationId, { agentId: '00:1A:2B:3C:4D:5E' });
    for (const id of ['site1-11', 'site11-1', 'site11-1', '001a2b3c4d5e', 'unknown']) {
      await addChange({ agent: { agent_id: id } });
    }
    await addChange({ import: 'agents.csv' });
    await agentIds.up(database);
    // Lookups read the columns of today.
    await database.raw(plainIdColumns);

    const found = await listMergedAgentIds(database, organisationId);
    expect(found.map(({ lastChangeAt: _, ...row }) => row)).to.deep.equal([
      { agentKey: merged, agentId: 'site1-11', otherId: 'site11-1', changes: 2 },
    ]);
    await addAgent(database, organisationId, { agentId: 'site11-1' });
    expect(await keysOf('001A.2B3C.4D5E')).to.deep.equal([box]);
    expect(await keysOf('site1-11')).to.deep.equal([merged]);
    expect(await keysOf('site111')).to.deep.equal([]);
  });

  it('names agents whose ids become equal, and changes nothing', async () => {
    const { database } = stores;
    for (const agentId of ['caf\u00e9', 'cafe\u0301']) {
      await addAgent(database, organisationId, { agentId });
    }
    const message = await database
      .transaction((transaction) => agentIds.up(transaction))
      .then(
        () => 'migrated',
        (error: unknown) => String(error),
      );
    expect(message).to.match(/rename agents whose ids are the same text in Unicode NFC: .*café/);
    expect(await database('agents').pluck('agent_id_normalised')).to.have.members(['caf', 'cafe']);
  });

  async function addChange(request: object): Promise<void> {
    await stores
      .database('metadata_changes')
      .insert({ organisation_id: organisationId, request, agent_count: 1 });
  }

  async function keysOf(value: string): Promise<readonly number[]> {
    const lookup = { column: 'agent_id', value } as const;
    const { rows } = await stores.database.raw<{ rows: { id: number }[] }>(
      `with ${wantedAgents(lookupKind(lookup))}
       select agent_key as id from wanted where agent_key is not null`,
      { lookups: `[${lookupValues(lookup)}]`, organisationId },
    );
    return rows.map(({ id }) => id);
  }
});

async function addOrganisation(database: Database): Promise<number> {
  const [row] = await database('organisations')
    .insert({ name: 'acme' })
    .returning<{ id: number }[]>('id');
  return row!.id;
}
