import type { ClickHouseClient } from '@clickhouse/client';
import { expect } from 'chai';
import { accessStore } from '../../../services/query/access/access-store.ts';
import { connectClickHouse } from '../../../services/shared/clickhouse/connect-clickhouse.ts';
import { localStack } from '../../support/local-stack.ts';
import { newTenant } from '../../support/tenant.ts';
import { openSchema, type Schema } from '../schema/open-schema.ts';

describe('the custom keys of an organisation', () => {
  let schema: Schema;
  let client: ClickHouseClient;
  before(async () => {
    schema = await openSchema();
    client = connectClickHouse(schema.settings, 'netpanel-test');
  });
  after(async () => {
    await client.close();
    await schema.close();
  });

  it('are known even if their snapshot is replaced and dropped while they are read', async () => {
    const { database } = await localStack();
    const { organisationId } = await newTenant(database);
    await publish(1, organisationId);
    // Replaces the snapshot once, after its publication was read and before its keys are.
    let isReplaced = false;
    const query = client.query.bind(client);
    client.query = async (params: Parameters<typeof query>[0]) => {
      if (!isReplaced && params.query.includes('custom.keys')) {
        isReplaced = true;
        await publish(2, organisationId);
        await schema.command(
          `ALTER TABLE agent_metadata_period DROP PARTITION (${organisationId}, 1)`,
        );
      }
      return query(params);
    };

    const accessOf = accessStore(database, client, 5000);
    const { customKeys } = await accessOf(organisationId, 0);
    expect(isReplaced).to.equal(true);
    expect(customKeys).to.deep.equal(['tier']);
  });

  async function publish(publication: number, organisationId: number): Promise<void> {
    await schema.insert('agent_metadata_period', [
      {
        publication,
        organisation_id: organisationId,
        agent_key: 1,
        valid_from: '1970-01-01 00:00:00',
        valid_to: '2106-02-07 06:28:15',
        agent_id: 'a',
        kind: 'Whitebox',
        custom: { tier: 'gold' },
      },
    ]);
    await schema.insert('agent_metadata_publication', [
      { organisation_id: organisationId, publication, row_count: 1, content_hash: 0 },
    ]);
  }
});
