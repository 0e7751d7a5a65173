import { expect } from 'chai';
import { snapshotTables } from '../../../services/metadata/snapshot/publication-tables.ts';
import { SnapshotLedger } from '../../../services/metadata/snapshot/snapshot-ledger.ts';
import { SnapshotStatements } from '../../../services/metadata/snapshot/snapshot-statements.ts';
import { SnapshotTable } from '../../../services/metadata/snapshot/snapshot-table.ts';
import { changeMetadata } from '../../support/change-metadata.ts';
import { localStack } from '../../support/local-stack.ts';
import { addAgent, newTenant } from '../../support/tenant.ts';
import { waitUntilPublished } from '../../support/wait-until-published.ts';

describe('the publication in use of an organisation', () => {
  it('is read without those of the other organisations, from ClickHouse and from Postgres', async () => {
    const { database, clickhouse } = await localStack();
    const ids: number[] = [];
    for (const agentId of ['a', 'b']) {
      const tenant = await newTenant(database);
      await addAgent(database, tenant.organisationId, { agentId });
      await changeMetadata(database, tenant, {
        agent: { agent_id: agentId },
        metadata: { timezone: 'UTC' },
      });
      await waitUntilPublished(database, tenant.organisationId);
      ids.push(tenant.organisationId);
    }
    const statements = new RecordedStatements(clickhouse, new AbortController().signal, '');
    const table = new SnapshotTable(statements, snapshotTables);
    const ledger = new SnapshotLedger(database);
    const [all, recorded] = [await table.publications(), await ledger.publications()];
    for (const id of ids) {
      statements.queries.length = 0;
      expect(await table.publicationOf(id)).to.deep.equal(all.get(id));
      expect(statements.queries).to.have.length(1);
      expect(statements.queries[0]).to.include(`WHERE organisation_id IN (${id}) `);
      expect([...(await ledger.publications([id]))]).to.deep.equal([[id, recorded.get(id)]]);
    }
    expect(all.get(ids[0]!)?.number).not.to.equal(all.get(ids[1]!)?.number);
    const unused = 2 ** 31 - 1;
    expect(await table.publicationOf(unused)).to.deep.equal({ number: 0, rowCount: 0 });
    expect((await ledger.publications([unused])).size).to.equal(0);
  });
});

class RecordedStatements extends SnapshotStatements {
  readonly queries: string[] = [];

  override all<T>(query: string): Promise<T[]> {
    this.queries.push(query);
    return super.all(query);
  }
}
